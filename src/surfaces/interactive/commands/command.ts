/** A slash command of our own. */
export interface BuiltinCommand {
  /** Without the slash. */
  readonly name: string;
  /** For the popup and `/help`; what it takes, then what it does. */
  readonly description: string;
  /** What may follow it, for the popup; for example `[name]`. */
  readonly hint?: string;
  readonly aliases?: readonly string[];
  /** @param args what stands behind the name, trimmed */
  run(args: string): void | Promise<void>;
}
