import * as v from "valibot";
import { COMMAND_DEADLINE_MS } from "../../wire/limits.ts";
import { type CommandResponse, commandResponseSchema, faultOf } from "../../wire/schemas.ts";
import type { Extension } from "../extension.ts";
import type { PanelSpec } from "./panel-slot.ts";
import type { Registry } from "./registry.ts";

export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly extension: string;
}

/** Whose command it was. */
interface Owned {
  /** Manifest name. */
  readonly extension: string;
  readonly owner: Extension;
}

/** What a command wants done (extension-host.md §4.1); `Outcomes` does it where a surface can. */
export type CommandOutcome =
  | (Owned & { readonly kind: "prompt"; readonly text: string })
  | (Owned & { readonly kind: "insert"; readonly text: string })
  | (Owned & { readonly kind: "display"; readonly text: string })
  | (Owned & { readonly kind: "open_panel"; readonly panel: PanelSpec })
  | { readonly kind: "noop" }
  /** For a human, in red. */
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "cancelled" };

/** Splits `/name rest`; undefined when `text` is no slash command. The rest is trimmed, inner blanks are kept. */
export function parseSlash(text: string): { readonly name: string; readonly args: string } | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: (match[2] ?? "").trim() };
}

/** Running the slash commands of extensions. */
export class Commands {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  get offered(): OfferedCommand[] {
    return this.#registry.commands.map(({ name, description, extension }) => ({
      name,
      description,
      extension: extension.name,
    }));
  }

  /** Case-insensitive. */
  has(name: string): boolean {
    return this.#registry.command(name) !== undefined;
  }

  /** Runs `/name args`; never rejects. 30 s at most. */
  async invoke(name: string, args: string, signal?: AbortSignal): Promise<CommandOutcome> {
    const command = this.#registry.command(name);
    const connection = command?.extension.connection;
    if (command === undefined || connection === undefined) return failed(name, "no extension offers this command");
    const owner = command.extension.name;
    const end = await connection.call(
      "command_invoked",
      { name: command.name, ...(args === "" ? {} : { args }) },
      { deadlineMs: COMMAND_DEADLINE_MS, ...(signal === undefined ? {} : { signal }) },
    );
    switch (end.kind) {
      case "timeout":
        return failed(command.name, `timeout waiting for ${owner}/${command.name}`);
      case "cancelled":
        return { kind: "cancelled" };
      case "too_long":
        return failed(command.name, "the arguments exceed the frame limit of the extension protocol");
      case "disconnected":
        return failed(command.name, `extension ${owner} disconnected`);
      case "answer": {
        const response = v.safeParse(commandResponseSchema, end.frame);
        if (!response.success) return failed(command.name, `malformed command_response: ${faultOf(response.issues)}`);
        return outcomeOf(command.name, command.extension, response.output);
      }
    }
  }
}

function outcomeOf(name: string, owner: Extension, response: CommandResponse): CommandOutcome {
  const owned: Owned = { extension: owner.name, owner };
  if (response.error !== "") return failed(name, response.error);
  switch (response.action) {
    case "prompt":
      return response.prompt.trim() === "" ? { kind: "noop" } : { kind: "prompt", ...owned, text: response.prompt };
    case "insert":
      return { kind: "insert", ...owned, text: response.insert };
    case "display":
      return { kind: "display", ...owned, text: response.display };
    case "open_panel": {
      if (response.open_panel === null || response.open_panel === undefined)
        return failed(name, "open_panel without a panel");
      const { id, title, lines, footer } = response.open_panel;
      return { kind: "open_panel", ...owned, panel: { id, title, lines, footer } };
    }
    case "noop":
    case "":
      return { kind: "noop" };
    default:
      return failed(name, `unknown action ${JSON.stringify(response.action.slice(0, 80))}`);
  }
}

function failed(name: string, text: string): CommandOutcome {
  return { kind: "error", text: `extension /${name}: ${text}` };
}
