import type { LlmError } from "../llm/error.ts";

/** Retries of one model request; the turn owns them, so that every surface can show them. */
const SERVICE_RETRIES = 5;
/** A line that keeps breaking is given up sooner than a service that asks for patience. */
const CONNECTION_RETRIES = 3;
const BASE_DELAY_MS = 500;
/** A service that asks for more than this is not waited for; the user is told instead. */
const LONGEST_WAIT_MS = 60_000;

/** How often a request may be sent in all, given how it failed. */
export function maxAttempts(error?: LlmError): number {
  if (error?.code === "cut_stream" || error?.code === "network") return CONNECTION_RETRIES + 1;
  return SERVICE_RETRIES + 1;
}

/**
 * How long to wait in ms before the attempt that follows number `attempt` (from 1); undefined: give up.
 * The service's own wish counts as the least wait.
 */
export function retryDelay(error: LlmError, attempt: number): number | undefined {
  if (!error.retryable || attempt >= maxAttempts(error)) return undefined;
  const backoff = BASE_DELAY_MS * 2 ** (attempt - 1);
  const asked = error.retryAfterMs ?? 0;
  return asked > LONGEST_WAIT_MS ? undefined : Math.max(backoff, asked);
}

/** The text of a request that is not repeated any more. */
export function finalText(error: LlmError, attempts: number): string {
  if ((error.retryAfterMs ?? 0) > LONGEST_WAIT_MS) {
    return `${error.message} (the service asks to wait ${Math.ceil((error.retryAfterMs ?? 0) / 1000)} s; try again later)`;
  }
  return attempts > 1 ? `${error.message} (gave up after ${attempts} attempts)` : error.message;
}
