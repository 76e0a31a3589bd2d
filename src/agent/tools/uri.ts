import type { UriRead, UriWrite } from "../../host/contributions/uris.ts";
import { READ_MAX_BYTES, READ_MAX_LINES } from "./limits.ts";
import { isRecord } from "./raw-arguments.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tool.ts";
import { clipWithMarker } from "./utf8.ts";

/** `scheme://…` behind which somebody else keeps texts: an extension, a client of rpc. */
export interface UriResolver {
  readonly schemes: readonly { readonly scheme: string; readonly description: string; readonly writable: boolean }[];
  /** Whether `url` is its to read. */
  has(url: string): boolean;
  /** Neither rejects. */
  read(url: string, signal: AbortSignal): Promise<UriRead>;
  write(url: string, content: string, signal: AbortSignal): Promise<UriWrite>;
}

/** `read` and `write` as they are, and through `resolver` for its URLs (feature `uri`); other tools are left alone. */
export function withUris(tools: readonly BuiltinTool[], resolver: UriResolver): readonly BuiltinTool[] {
  return tools.map((tool) => {
    if (tool.name === "read")
      return decorated(tool, resolver, "Reads", (args, context) => read(args, resolver, context));
    if (tool.name === "write")
      return decorated(tool, resolver, "Writes", (args, context) => write(args, resolver, context));
    return tool;
  });
}

type Run = (args: Record<string, unknown> & { readonly path: string }, context: ToolContext) => Promise<ToolOutcome>;

function decorated(tool: BuiltinTool, resolver: UriResolver, verb: "Reads" | "Writes", run: Run): BuiltinTool {
  return {
    ...tool,
    // Asked before each request: schemes come and go.
    get description() {
      const schemes = resolver.schemes.filter(({ writable }) => verb === "Reads" || writable);
      const named = schemes.map(
        ({ scheme, description }) => `${scheme}://${description === "" ? "" : ` (${description})`}`,
      );
      return named.length === 0 ? tool.description : `${tool.description} ${verb} URLs, too: ${named.join(", ")}.`;
    },
    run: (args, context) => {
      return hasPath(args) && resolver.has(args.path) ? run(args, context) : tool.run(args, context);
    },
  };
}

function hasPath(args: unknown): args is Record<string, unknown> & { readonly path: string } {
  return isRecord(args) && typeof args["path"] === "string";
}

async function read(args: Parameters<Run>[0], resolver: UriResolver, context: ToolContext): Promise<ToolOutcome> {
  const result = await resolver.read(args.path, context.signal);
  if (result.kind === "failed") return textOutcome(result.text, true);
  if (result.content === "") return textOutcome(`${args.path} is empty`);
  const lines = result.content.replace(/\n$/, "").split("\n");
  const first = Math.max(1, numberOr(args["offset"], 1));
  const limit = numberOr(args["limit"], 0);
  const count = Math.min(limit === 0 ? READ_MAX_LINES : limit, READ_MAX_LINES);
  if (first > lines.length)
    return textOutcome(`offset ${first} is beyond the end of ${args.path} (${lines.length} lines)`, true);
  const window = lines.slice(first - 1, first - 1 + count);
  const isWhole = first === 1 && window.length === lines.length;
  const text = isWhole ? result.content : `${window.join("\n")}\n`;
  const isCut = limit === 0 && first - 1 + window.length < lines.length;
  const shown = isCut ? `${text}... [truncated at ${READ_MAX_LINES} lines]` : text;
  return textOutcome(clipWithMarker(shown, READ_MAX_BYTES, `... [truncated at ${READ_MAX_BYTES} bytes]`));
}

async function write(args: Parameters<Run>[0], resolver: UriResolver, context: ToolContext): Promise<ToolOutcome> {
  const content = typeof args["content"] === "string" ? args["content"] : "";
  const result = await resolver.write(args.path, content, context.signal);
  if (result.kind === "failed") return textOutcome(result.text, true);
  if (result.text.trim() !== "") return textOutcome(result.text);
  return textOutcome(`Successfully wrote ${Buffer.byteLength(content)} bytes to ${args.path}`);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
