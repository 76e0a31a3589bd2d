/**
 * What was asked of `zot ext` cannot be done: exit status 1. The text is for the user, and says what to do next. What
 * was typed wrongly is a `UsageError`.
 */
export class ExtError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ExtError";
  }
}
