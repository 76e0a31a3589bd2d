import { type BuiltinTool, textOutcome } from "../../../agent/tools/tool.ts";
import { isRecord } from "../command.ts";
import type { HostToolDefinition } from "./host-tool-definition.ts";

/** Name of the tool that looks tools of the client up. */
export const FINDER_NAME = "host_tools";
/** Names that its description lists, and what it says of each. */
const LISTED_MAX = 100;
const SUMMARY_MAX_CHARS = 160;

/**
 * The tool by which a model finds `discoverable` tools of the client: their names cost a line each, their descriptions
 * and parameters only come when they are asked for.
 * @param found told the name of a tool that was looked up
 */
export function finderTool(tools: readonly HostToolDefinition[], found: (name: string) => void): BuiltinTool {
  const listed = tools.slice(0, LISTED_MAX).map(({ name, description }) => `- ${name}: ${summary(description)}`);
  const more = tools.length > LISTED_MAX ? [`- and ${tools.length - LISTED_MAX} more`] : [];
  return {
    name: FINDER_NAME,
    description: [
      "Look up a tool of the program that you run in. Call this with its name to get its description and its parameters; from then on it can be called like any other tool. There are:",
      ...listed,
      ...more,
    ].join("\n"),
    schema: {
      type: "object",
      properties: { name: { type: "string", description: "Name of the tool to look up" } },
      required: ["name"],
    },
    run: async (args) => {
      const name = isRecord(args) ? args["name"] : undefined;
      const tool = tools.find((known) => known.name === name);
      if (tool === undefined) {
        return textOutcome(`no such tool; there are ${tools.map((known) => known.name).join(", ")}`, true);
      }
      found(tool.name);
      return textOutcome(`${tool.name}: ${tool.description}\n\nParameters:\n${JSON.stringify(tool.schema)}`);
    },
  };
}

function summary(description: string): string {
  const [line = ""] = description.split("\n");
  return line.length > SUMMARY_MAX_CHARS ? `${line.slice(0, SUMMARY_MAX_CHARS).toWellFormed()}…` : line;
}
