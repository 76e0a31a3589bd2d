import { ERROR_TEXT_MAX_CHARS } from "./limits.ts";

export type SdkErrorCode =
  /** something was registered or called in a way that can never work */
  | "usage"
  /** the host did not offer the feature in `hello_ack.features` */
  | "unsupported"
  /** the frame would make the host disconnect */
  | "frame_too_large"
  /** more is waiting than its bound allows */
  | "too_many";

/** The one error class of the SDK. `message` says what to do about it. */
export class SdkError extends Error {
  readonly code: SdkErrorCode;

  constructor(code: SdkErrorCode, message: string) {
    super(message);
    this.name = "SdkError";
    this.code = code;
  }
}

/** The text of whatever was thrown, short enough for a frame and never empty. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, ERROR_TEXT_MAX_CHARS) || "unknown error";
}
