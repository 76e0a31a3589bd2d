import type { ExtensionHost } from "../host/host.ts";
import type { ToolDefinition } from "../llm/port.ts";
import type { RawJson } from "../wire/raw-json.ts";
import type { Session } from "./session/session.ts";
import { checkArguments } from "./tools/arguments.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tools/tool.ts";

const STATE_LOST = "tool result state could not be persisted";
/** How many names an answer to an unknown tool lists. */
const NAMES_LISTED = 40;

/**
 * All tools of a session: built-in ones first, then those that come and go while it runs (`skill`, what an rpc client
 * brings), then those of extensions in load order (extension-host.md §4.2).
 */
export class Toolbox {
  readonly #builtins: ReadonlyMap<string, BuiltinTool>;
  readonly #guests: () => readonly BuiltinTool[];
  readonly #host: Pick<ExtensionHost, "tools">;
  readonly #session: () => Session;

  /**
   * @param session the conversation that is open: it knows which deferred tools are on, and keeps what extensions keep
   * @param guests tools that come and go; asked anew each time
   */
  constructor(
    builtins: readonly BuiltinTool[],
    host: Pick<ExtensionHost, "tools">,
    session: () => Session,
    guests: () => readonly BuiltinTool[] = () => [],
  ) {
    this.#builtins = new Map(builtins.map((tool) => [tool.name, tool]));
    this.#host = host;
    this.#session = session;
    this.#guests = guests;
  }

  /** What the model is offered in the next request; read anew each time, since extensions come and go. */
  definitions(): ToolDefinition[] {
    const own = [...this.#builtins.values(), ...this.#guests()]
      .filter((tool, index, all) => all.findIndex(({ name }) => name === tool.name) === index)
      .filter((tool) => tool.isUnlisted !== true)
      .map(({ name, description, schema }) => ({ name, description, schema }));
    const { activatedTools } = this.#session();
    const extensions = this.#host.tools.offered
      .filter((tool) => this.#own(tool.name) === undefined && (!tool.deferred || activatedTools.has(tool.name)))
      .map(({ name, description, schema }) => ({ name, description, schema: schemaOf(schema) }));
    return [...own, ...extensions];
  }

  /** Whether a call may run beside others of the same message. */
  isParallel(name: string): boolean {
    return this.#own(name)?.isParallel === true;
  }

  /** Runs one call with arguments that are a JSON object; never rejects. */
  async run(name: string, args: RawJson, context: ToolContext): Promise<ToolOutcome> {
    const own = this.#own(name);
    if (own !== undefined) return runBuiltin(own, args, context);
    const { tools } = this.#host;
    const owner = tools.ownerOf(name);
    if (owner === undefined) return textOutcome(this.#unknown(name), true);
    const result = await tools.call(name, args.text, context.signal, (content) => context.update(content));
    // The work is done: a state that cannot be kept takes nothing away from the result (§9.3, defect 46).
    const isKept = result.details === undefined || this.#session().setState(owner, result.details);
    return {
      content: isKept ? result.content : [...result.content, { type: "text", text: STATE_LOST }],
      isError: result.isError,
      activated: result.activate.filter((wanted) => tools.ownerOf(wanted) !== undefined),
    };
  }

  #own(name: string): BuiltinTool | undefined {
    return this.#builtins.get(name) ?? this.#guests().find((tool) => tool.name === name);
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
