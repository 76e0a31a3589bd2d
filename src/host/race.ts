import { setTimeout as sleep } from "node:timers/promises";

/** True when `promise` has not settled after `ms`. A rejection in time is thrown; a later one is the owner's to handle. */
export async function raceTimeout(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const expired = sleep(ms, true, { signal: timer.signal }).catch(() => true);
  try {
    return await Promise.race([promise.then(() => false), expired]);
  } finally {
    timer.abort();
  }
}
