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
  /** Called after each command: what the screen shows may have changed. */
  done(): void;
}

/** All slash commands: our own first, then those of extensions (extension-host.md §4.1). */
export class SlashCommands {
  readonly #builtins = new Map<string, BuiltinCommand>();
  readonly #parts: SlashParts;

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
    return this.do(name, () => (builtin === undefined ? this.#runExtension(name, args) : builtin.run(args)));
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
    const outcome = await this.#parts.commands.invoke(name, args);
    if (outcome.kind === "error") this.#parts.fail(outcome.text);
    else if (outcome.kind !== "cancelled") this.#parts.outcomes.perform(outcome);
  }
}
