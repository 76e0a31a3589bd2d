import type { Commands } from "../../../host/contributions/commands.ts";
import type { Outcomes } from "../../../host/contributions/outcomes.ts";
import type { BuiltinCommand } from "./command.ts";

/** A command as the popup and `/help` list it. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  /** Manifest name of the extension it comes from; undefined for our own. */
  readonly extension: string | undefined;
}

export interface SlashParts {
  /** Those of extensions. */
  readonly commands: Commands;
  readonly outcomes: Outcomes;
  /** Shows a line in red. */
  fail(text: string): void;
  /** Shows that something is under way until `work` has settled. */
  during<T>(text: string, work: Promise<T>): Promise<T>;
  /** Called after each command: what the screen shows may have changed. */
  done(): void;
}

/** All slash commands: our own first, then those of extensions (extension-host.md §4.1). */
export class SlashCommands {
  readonly #builtins = new Map<string, BuiltinCommand>();
  readonly #parts: SlashParts;
  readonly #running = new Set<AbortController>();

  constructor(parts: SlashParts) {
    this.#parts = parts;
  }

  add(...commands: readonly BuiltinCommand[]): void {
    for (const command of commands) {
      for (const name of [command.name, ...(command.aliases ?? [])]) this.#builtins.set(name, command);
    }
  }

  get list(): ListedCommand[] {
    const own = [...new Set(this.#builtins.values())].map(({ name, description, hint }) => ({
      name,
      description: hint === undefined ? description : `${hint}  ${description}`,
      extension: undefined,
    }));
    return [...own, ...this.#parts.commands.offered];
  }

  /** Case-insensitive. */
  has(name: string): boolean {
    return this.#builtins.has(name.toLowerCase()) || this.#parts.commands.has(name);
  }

  /** Runs it; resolves when it is done. What fails is told on the screen. */
  run(name: string, args: string): Promise<void> {
    const builtin = this.#builtins.get(name.toLowerCase());
    return this.do(name, () => {
      if (builtin === undefined) return this.#runExtension(name, args);
      // A word too many may be a slip of the hand, and some commands cannot be undone.
      if (builtin.hint === undefined && args !== "") throw new Error("takes nothing behind it");
      return builtin.run(args);
    });
  }

  /** Whether it is one of our own that takes something which cannot be left out. */
  needsMore(name: string): boolean {
    const hint = this.#builtins.get(name.toLowerCase())?.hint ?? "";
    return hint !== "" && !hint.startsWith("[");
  }

  /** Ends the commands of extensions that are still running. */
  cancel(): void {
    for (const abort of this.#running) abort.abort();
  }

  /** Does what a command does without its having been typed. */
  async do(name: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.fail(`/${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#parts.done();
    }
  }

  async #runExtension(name: string, args: string): Promise<void> {
    const { commands, during } = this.#parts;
    const abort = new AbortController();
    this.#running.add(abort);
    const invoked = commands.invoke(name, args, abort.signal).finally(() => this.#running.delete(abort));
    const outcome = await during(`running /${name} · esc cancels`, invoked);
    if (outcome.kind === "error") this.#parts.fail(outcome.text);
    else if (outcome.kind !== "cancelled") this.#parts.outcomes.perform(outcome);
  }
}
