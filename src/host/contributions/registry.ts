import { COMMANDS_PER_EXTENSION_MAX, TOOL_NAME_PATTERN, TOOLS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import type { Extension } from "../extension.ts";

export interface CommandRegistration {
  readonly extension: Extension;
  /** Canonical spelling, without the slash. */
  readonly name: string;
  readonly description: string;
}

export interface ToolRegistration {
  readonly extension: Extension;
  readonly name: string;
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
  readonly #commands: NameTable<CommandRegistration>;
  readonly #tools: NameTable<ToolRegistration>;
  /** Grows with every change, so that a caller can tell that a list it built is out of date. */
  revision = 0;

  constructor(reserved: ReservedNames) {
    this.#commands = new NameTable(reserved.commands);
    this.#tools = new NameTable(reserved.tools);
  }

  addCommand(registration: CommandRegistration): void {
    const { extension, name } = registration;
    const label = `command /${name.slice(0, 80)}`;
    if (name === "" || /\s/.test(name)) {
      extension.diagnostics.add(`${label}: a name without blanks is required; skipped`);
      return;
    }
    this.#commands.add(name.toLowerCase(), registration, COMMANDS_PER_EXTENSION_MAX, label);
    this.revision += 1;
  }

  addTool(registration: ToolRegistration): void {
    const { extension, name } = registration;
    const label = `tool ${name.slice(0, 80)}`;
    if (!TOOL_NAME_PATTERN.test(name)) {
      extension.diagnostics.add(
        `tool ${JSON.stringify(name.slice(0, 80))}: name must match ${TOOL_NAME_PATTERN.source}; skipped`,
      );
      return;
    }
    this.#tools.add(name, registration, TOOLS_PER_EXTENSION_MAX, label);
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

export interface Claim {
  readonly name: string;
  readonly active: boolean;
}

class NameTable<R extends CommandRegistration | ToolRegistration> {
  /** Registrants of each name in load order. A `Map`, so that `__proto__` is a name like any other. */
  readonly #byName = new Map<string, R[]>();
  readonly #reserved: ReadonlySet<string>;

  constructor(reserved: ReadonlySet<string>) {
    this.#reserved = reserved;
  }

  add(key: string, registration: R, limit: number, label: string): void {
    const { extension } = registration;
    const registrants = this.#byName.get(key) ?? [];
    const own = registrants.findIndex((other) => other.extension === extension);
    if (own !== -1) {
      // A running extension refreshes its definition (§2.6 [REQ]); two definitions in one start are a mistake, and
      // the first is the one that a reader of its source would expect.
      if (extension.state === "ready") registrants[own] = registration;
      else extension.diagnostics.add(`${label} is registered twice; the first registration counts`);
      return;
    }
    if (this.claims(extension).length >= limit) {
      extension.diagnostics.add(`more than ${limit} registrations; ${label} skipped`);
      return;
    }
    const other = registrants.find((registrant) => registrant.extension.connection !== undefined);
    if (this.#reserved.has(key)) {
      extension.diagnostics.add(`${label} is shadowed by the built-in of that name`);
    } else if (other !== undefined) {
      const loser = other.extension.loadIndex < extension.loadIndex ? extension : other.extension;
      loser.diagnostics.add(`${label} conflicts with another extension registering the same name`);
    }
    registrants.push(registration);
    registrants.sort((a, b) => a.extension.loadIndex - b.extension.loadIndex);
    this.#byName.set(key, registrants);
  }

  remove(extension: Extension): void {
    for (const [key, registrants] of this.#byName) {
      const left = registrants.filter((registration) => registration.extension !== extension);
      if (left.length === 0) this.#byName.delete(key);
      else this.#byName.set(key, left);
    }
  }

  owner(key: string): R | undefined {
    if (this.#reserved.has(key)) return undefined;
    return this.#byName.get(key)?.find((registration) => registration.extension.connection !== undefined);
  }

  owners(): R[] {
    return [...this.#byName.keys()]
      .map((key) => this.owner(key))
      .filter((registration) => registration !== undefined)
      .sort((a, b) => a.extension.loadIndex - b.extension.loadIndex);
  }

  claims(extension: Extension): Claim[] {
    const claims: Claim[] = [];
    for (const [key, registrants] of this.#byName) {
      const own = registrants.find((registration) => registration.extension === extension);
      if (own !== undefined) claims.push({ name: own.name, active: this.owner(key) === own });
    }
    return claims;
  }
}
