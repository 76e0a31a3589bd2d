import { COMMANDS_PER_EXTENSION_MAX, TOOL_NAME_PATTERN, TOOLS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import type { Extension } from "../extension.ts";
import { type Claim, NameTable, type Registration } from "./name-table.ts";

export type { Claim };

/** Its name is the canonical spelling, without the slash. */
export interface CommandRegistration extends Registration {
  readonly description: string;
}

export interface ToolRegistration extends Registration {
  readonly description: string;
  /** An object schema that compiles. */
  readonly schema: RawJson;
  readonly deferred: boolean;
  readonly interactive: boolean;
}

export interface ReservedNames {
  /** Built-in slash commands, lower case. */
  readonly commands: ReadonlySet<string>;
  /** Built-in tools. */
  readonly tools: ReadonlySet<string>;
}

/**
 * Who owns which name. A built-in always wins, then the earliest in load order among the living; when an owner dies
 * the next registrant takes over (extension-host.md §4.1, §4.2, defects 12 and 17).
 */
export class Registry {
  readonly #reserved: ReservedNames;
  readonly #commands: NameTable<CommandRegistration>;
  readonly #tools: NameTable<ToolRegistration>;
  /** Grows with every change, so that a caller can tell that a list it built is out of date. */
  revision = 0;

  constructor(reserved: ReservedNames) {
    this.#reserved = reserved;
    this.#commands = new NameTable({
      reserved: reserved.commands,
      limit: COMMANDS_PER_EXTENSION_MAX,
      label: commandLabel,
    });
    this.#tools = new NameTable({
      reserved: reserved.tools,
      limit: TOOLS_PER_EXTENSION_MAX,
      label: (name) => `tool ${name}`,
    });
  }

  addCommand(registration: CommandRegistration): void {
    const { extension, name } = registration;
    if (name === "" || /\s/.test(name)) {
      extension.diagnostics.add(`${commandLabel(name)}: a name without blanks is required; skipped`);
      return;
    }
    this.#commands.add(name.toLowerCase(), registration);
    this.revision += 1;
  }

  addTool(registration: ToolRegistration): void {
    const { extension, name } = registration;
    if (!TOOL_NAME_PATTERN.test(name)) {
      extension.diagnostics.add(
        `tool ${JSON.stringify(name.slice(0, 80))}: name must match ${TOOL_NAME_PATTERN.source}; skipped`,
      );
      return;
    }
    this.#tools.add(name, registration);
    this.revision += 1;
  }

  remove(extension: Extension): void {
    this.#commands.remove(extension);
    this.#tools.remove(extension);
    this.revision += 1;
  }

  /** Case-insensitive. */
  command(name: string): CommandRegistration | undefined {
    return this.#commands.owner(name.toLowerCase());
  }

  /** Case-insensitive. */
  isBuiltinCommand(name: string): boolean {
    return this.#reserved.commands.has(name.toLowerCase());
  }

  tool(name: string): ToolRegistration | undefined {
    return this.#tools.owner(name);
  }

  /** Owned and live, in load order. */
  get commands(): CommandRegistration[] {
    return this.#commands.owners();
  }

  /** Owned and live, in load order. */
  get tools(): ToolRegistration[] {
    return this.#tools.owners();
  }

  /** Everything one extension registered, and whether it is the one that counts. */
  of(extension: Extension): { commands: Claim[]; tools: Claim[] } {
    return { commands: this.#commands.claims(extension), tools: this.#tools.claims(extension) };
  }
}

function commandLabel(name: string): string {
  return `command /${name.slice(0, 80)}`;
}
