import { encodeFrame } from "./encode.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import { textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { rawMember } from "./raw-json.ts";
import type { FromSchema, ObjectSchema } from "./schema.ts";
import { type ContentBlock, contentOf, type ToolReturn, toolError, toolResultFrame } from "./tool-result.ts";
import { isValid } from "./validate.ts";

export interface ToolOptions<S extends ObjectSchema> {
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** JSON Schema of the arguments, written as a literal so that the handler's types follow from it. */
  readonly parameters?: S;
  /** Keep the definition from the model until a result names the tool in `activateTools`. */
  readonly deferred?: boolean;
  /** The tool waits for a human: the host sets no deadline, and refuses the call where nobody is there to ask. */
  readonly interactive?: boolean;
}

export interface ToolContext {
  readonly id: string;
  readonly name: string;
  /** Aborts when the call was given up or the host is leaving. Nobody waits for the result after that. */
  readonly signal: AbortSignal;
  /** The arguments as the model wrote them; the parsed ones have lost digits of integers above 2^53. */
  readonly rawArguments: string;
  readonly host: HostInfo;
  /** Shows progress to the user, never to the model. Does nothing when the host lacks the feature `tool_update`. */
  update(content: string | readonly ContentBlock[]): void;
}

export type ToolHandler<Arguments> = (args: Arguments, context: ToolContext) => ToolReturn | Promise<ToolReturn>;

/** A tool whose arguments are checked inside `call`, so that tools with different arguments fit into one table. */
export interface Tool {
  readonly name: string;
  /** The encoded frame that tells the host of it. */
  readonly announcement: string;
  /** Gives the answer to a call; throws what the handler throws. */
  call(args: unknown, context: ToolContext): Promise<OutgoingFrame>;
}

/** Binds a handler to its schema. Throws when the definition does not fit into a frame. */
export function defineTool<const S extends ObjectSchema>(
  name: string,
  options: ToolOptions<S>,
  handler: ToolHandler<FromSchema<S>>,
): Tool {
  const schema = options.parameters;
  return {
    name,
    announcement: encodeFrame({
      type: "register_tool",
      name,
      description: options.description,
      schema: schema ?? { type: "object", properties: {} },
      deferred: options.deferred === true ? true : undefined,
      interactive: options.interactive === true ? true : undefined,
    }),
    async call(args, context) {
      const faults: string[] = [];
      if (!accepts(schema, args, faults)) {
        return toolError(context.id, `invalid arguments for ${name}:\n${faults.join("\n")}`);
      }
      return toolResultFrame(context.id, await handler(args, context));
    },
  };
}

/** What a handler gets beside its arguments. `line` is the `tool_call` frame as it came. */
export function toolContext(
  frame: IncomingFrame,
  line: string,
  host: HostInfo,
  signal: AbortSignal,
  send: (update: OutgoingFrame) => void,
): ToolContext {
  const id = textIn(frame, "id");
  return {
    id,
    name: textIn(frame, "name"),
    signal,
    host,
    get rawArguments() {
      return rawMember(line, "args") ?? "{}";
    },
    update(content) {
      if (!host.features.includes("tool_update") || signal.aborted) return;
      send({ type: "tool_update", id, content: contentOf(content) });
    },
  };
}

function accepts<S extends ObjectSchema>(
  schema: S | undefined,
  args: unknown,
  faults: string[],
): args is FromSchema<S> {
  return isValid(schema ?? { type: "object" }, args, faults);
}
