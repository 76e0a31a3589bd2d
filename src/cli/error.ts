/**
 * The one error class of this floor; the text is for the user and says what to do next. "usage": what was typed cannot
 * be done, exit status 2. "failed": it could, but did not work out, exit status 1.
 */
export class CliError extends Error {
  readonly code: "usage" | "failed";

  constructor(code: CliError["code"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CliError";
    this.code = code;
  }
}

/** Exit statuses (cli.md "Output rules"). */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
