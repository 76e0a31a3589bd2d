import type { QueueKind } from "../../../agent/prompt-queue.ts";
import { type CommandOutcome, parseSlash } from "../../../host/contributions/commands.ts";
import type { RpcEngine } from "../engine.ts";
import type { FrameWriter } from "./frame-writer.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { LocalCommand } from "./local-commands.ts";
import type { OmpSurface } from "./omp-surface.ts";
import type { Accepted } from "./prompt-ledger.ts";

export interface SlashCommandsOptions {
  readonly engine: RpcEngine;
  readonly writer: FrameWriter;
  readonly lifecycle: Lifecycle;
  /** Absent with `--no-ui`. */
  readonly surface: OmpSurface | undefined;
  readonly local: readonly LocalCommand[];
}

/** One slash command as a client lists it (rpc-wire.md §2, `get_available_commands`). */
export interface AvailableCommand {
  readonly name: string;
  readonly description?: string;
  readonly input?: { readonly hint: string };
  readonly source: "builtin" | "extension";
}

/** `/name …` in a prompt: our own commands, those of extensions, and text for the model when it is neither. */
export class SlashCommands {
  readonly #options: SlashCommandsOptions;
  readonly #running = new Set<AbortController>();

  constructor(options: SlashCommandsOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** What can be typed now. */
  get available(): readonly AvailableCommand[] {
    const local = this.#options.local
      .filter((command) => this.#local(command.name) !== undefined)
      .map(({ name, description, hint }) => ({
        name,
        description,
        ...(hint === undefined ? {} : { input: { hint } }),
        source: "builtin" as const,
      }));
    const extensions = this.#options.engine.host.commands.offered.map(({ name, description }) => ({
      name,
      ...(description === "" ? {} : { description }),
      source: "extension" as const,
    }));
    return [...local, ...extensions];
  }

  /** Runs a command of our own; false when `text` is none. Throws `RpcError`. */
  async runLocal(text: string): Promise<boolean> {
    const slash = parseSlash(text);
    const command = slash === undefined ? undefined : this.#local(slash.name);
    if (slash === undefined || command === undefined) return false;
    const output = await command.run(slash.args);
    if (output !== "") this.#options.writer.event("command_output", { text: output });
    return true;
  }

  isExtensionCommand(text: string): boolean {
    const slash = parseSlash(text);
    return slash !== undefined && this.#options.engine.host.commands.has(slash.name);
  }

  /**
   * Runs a command of an extension and does what it wants done. Never rejects.
   * @param kind when a prompt that it wants said is said, should a turn be running
   */
  async runExtensionCommand(text: string, kind: QueueKind, accepted?: Accepted): Promise<void> {
    const { engine, lifecycle } = this.#options;
    const slash = parseSlash(text);
    if (slash === undefined) return;
    const abort = new AbortController();
    this.#running.add(abort);
    lifecycle.begin();
    const outcome = await engine.host.commands.invoke(slash.name, slash.args, abort.signal);
    this.#running.delete(abort);
    if (outcome.kind === "prompt" && !abort.signal.aborted) {
      lifecycle.say([{ type: "text", text: outcome.text }], kind, accepted);
      lifecycle.over();
      return;
    }
    const isAborted = outcome.kind === "cancelled" || abort.signal.aborted;
    if (!isAborted) this.#perform(slash.name, outcome);
    const end = { kind: isAborted ? "aborted" : "completed", text: "" } as const;
    lifecycle.over(accepted === undefined ? undefined : { accepted, end });
  }

  /** Ends the commands that run. */
  abort(): void {
    for (const abort of this.#running) abort.abort();
  }

  #perform(name: string, outcome: CommandOutcome): void {
    const { surface, writer, engine } = this.#options;
    switch (outcome.kind) {
      case "display":
        surface?.display(outcome.extension, outcome.text);
        break;
      case "error":
        writer.event("extension_error", { extensionPath: `command:${name}`, event: "command", error: outcome.text });
        break;
      case "insert":
      case "open_panel":
        if (engine.host.outcomes.perform(outcome) === "unsupported") this.#unsupported(name, outcome.kind);
        break;
      case "prompt":
      case "noop":
      case "cancelled":
        break;
    }
  }

  #unsupported(name: string, what: "insert" | "open_panel"): void {
    const error = `/${name} wants ${what === "insert" ? "an editor" : "a panel"}, which this client has not asked for`;
    this.#options.writer.event("extension_error", { extensionPath: `command:${name}`, event: "command", error });
  }

  /** A name that is not reserved for us belongs to the extension that registers it. */
  #local(name: string): LocalCommand | undefined {
    const found = this.#options.local.find((command) => command.name === name.toLowerCase());
    const { commands } = this.#options.engine.host;
    return found !== undefined && (found.isReserved || !commands.has(found.name)) ? found : undefined;
  }
}
