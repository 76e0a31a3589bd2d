import type { LlmErrorCode } from "./error.ts";

/** What an HTTP status means for the turn. Context overflow is told from the body, not from the status (413 apart). */
export function codeForStatus(status: number): LlmErrorCode {
  if (status === 401 || status === 403) return "auth";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limit";
  // 408 and 425 say "try again", which is what `server` means to the turn.
  if (status >= 500 || status === 408 || status === 425) return "server";
  return "refused";
}
