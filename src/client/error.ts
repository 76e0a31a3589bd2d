/** Why something with zot did not work. `command`: zot refused it; the text is zot's. */
export type ZotErrorCode =
  | "start"
  | "ended"
  | "protocol"
  | "timeout"
  | "command"
  /** Events came faster than they were taken. */
  | "overflow";

/** The one error class of the client. */
export class ZotError extends Error {
  readonly code: ZotErrorCode;
  /** zot's own machine-readable reason, when it gave one. */
  readonly reason: string | undefined;

  constructor(code: ZotErrorCode, message: string, reason?: string) {
    super(message);
    this.name = "ZotError";
    this.code = code;
    this.reason = reason;
  }
}
