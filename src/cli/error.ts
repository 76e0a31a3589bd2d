/** The one error class of this floor: what was typed cannot be done. Exit status 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Exit statuses (cli.md "Output rules"). */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
