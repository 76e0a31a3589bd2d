import { systemTimers } from "./connection/timers.ts";

/** True when `promise` has not settled after `ms`. A rejection in time is thrown; a later one is the owner's to handle. */
export async function raceTimeout(promise: Promise<unknown>, ms: number, timers = systemTimers): Promise<boolean> {
  const expired = Promise.withResolvers<true>();
  using _timer = timers.start(ms, () => expired.resolve(true));
  return await Promise.race([promise.then(() => false), expired.promise]);
}
