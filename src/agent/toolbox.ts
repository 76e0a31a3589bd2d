import type { ExtensionHost } from "../host/host.ts";
import type { ToolDefinition } from "../llm/port.ts";
import type { RawJson } from "../wire/raw-json.ts";
import { checkArguments } from "./tools/arguments.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tools/tool.ts";

/** How many names an answer to an unknown tool lists. */
const NAMES_LISTED = 40;

/** All tools of a session: built-in ones first, then those of extensions in load order (extension-host.md §4.2). */
export class Toolbox {
  readonly #builtins: ReadonlyMap<string, BuiltinTool>;
  readonly #host: Pick<ExtensionHost, "tools">;
  /** Deferred tools that a result has switched on (§4.2). */
  readonly #activated = new Set<string>();

  constructor(builtins: readonly BuiltinTool[], host: Pick<ExtensionHost, "tools">) {
    this.#builtins = new Map(builtins.map((tool) => [tool.name, tool]));
    this.#host = host;
  }

  /** What the model is offered in the next request; read anew each time, since extensions come and go. */
  definitions(): ToolDefinition[] {
    const builtins = [...this.#builtins.values()].map(({ name, description, schema }) => ({
      name,
      description,
      schema,
    }));
    const extensions = this.#host.tools.offered
      .filter((tool) => !this.#builtins.has(tool.name) && (!tool.deferred || this.#activated.has(tool.name)))
      .map(({ name, description, schema }) => ({ name, description, schema: schemaOf(schema) }));
    return [...builtins, ...extensions];
  }

  /** Runs one call with arguments that are a JSON object; never rejects. */
  async run(name: string, args: RawJson, context: ToolContext): Promise<ToolOutcome> {
    const builtin = this.#builtins.get(name);
    if (builtin !== undefined) return runBuiltin(builtin, args, context);
    if (!this.#host.tools.has(name)) return textOutcome(this.#unknown(name), true);
    const result = await this.#host.tools.call(name, args.text, context.signal);
    for (const wanted of result.activate) {
      if (this.#host.tools.has(wanted)) this.#activated.add(wanted);
    }
    return { content: result.content, isError: result.isError };
  }

  #unknown(name: string): string {
    const names = this.definitions().map((tool) => tool.name);
    const listed = names.slice(0, NAMES_LISTED).join(", ");
    return `unknown tool ${JSON.stringify(name.slice(0, 80))}; available: ${listed}${names.length > NAMES_LISTED ? ", …" : ""}`;
  }
}

async function runBuiltin(tool: BuiltinTool, args: RawJson, context: ToolContext): Promise<ToolOutcome> {
  const checked = await checkArguments(tool, args.text);
  if (!checked.ok) return textOutcome(checked.message, true);
  try {
    return await tool.run(checked.args, context);
  } catch (error) {
    // A built-in tool answers for its own faults; one that throws is our defect, and the model must still get a result.
    return textOutcome(`${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

function schemaOf(schema: RawJson): Record<string, unknown> {
  const value = schema.value();
  // The registry admits objects only.
  return value !== null && typeof value === "object" ? { ...value } : {};
}
