/** The one error class of this floor. */
export type LlmErrorCode =
  /** 401, 403, or no key at all */
  | "auth"
  /** 429 */
  | "rate_limit"
  /** 5xx, 529, an overloaded or error event inside a stream */
  | "server"
  /** 400 and other refusals that a repeat would not change */
  | "refused"
  /** the prompt does not fit the context window */
  | "context_overflow"
  /** no connection, DNS, TLS, proxy */
  | "network"
  /** the stream broke off, or fell silent, before its end */
  | "cut_stream"
  | "aborted"
  /** unknown provider or model, unusable base URL */
  | "usage";

export class LlmError extends Error {
  readonly code: LlmErrorCode;
  /** HTTP status, when there was one. */
  readonly status: number | undefined;
  /** How long the service asked us to wait, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: LlmErrorCode,
    message: string,
    options: { status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "LlmError";
    this.code = code;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** True when the same request may succeed later. */
  get retryable(): boolean {
    return (
      this.code === "rate_limit" || this.code === "server" || this.code === "network" || this.code === "cut_stream"
    );
  }
}
