import { textOf } from "../messages.ts";
import type { ModelRequest } from "../port.ts";
import type { Conversation } from "./conversation.ts";

/** Characters of one result in the listing. */
const MAX_RESULT_CHARS = 200;
/** Names in a list, before "and N more". */
const MAX_NAMES = 40;

/** The list that ends a script of calls: one line a result. */
export function listResults(results: Conversation["results"]): string {
  const lines = results.map(({ name, result }) => {
    const text = textOf(result, " ").replace(/\s+/g, " ").trim();
    const short = text.length > MAX_RESULT_CHARS ? `${text.slice(0, MAX_RESULT_CHARS)}…`.toWellFormed() : text;
    const images = result.content.filter((block) => block.type === "image").length;
    const parts = [short, images === 0 ? "" : `(${images} image${images === 1 ? "" : "s"})`].filter(
      (part) => part !== "",
    );
    return `- ${name === "" ? "(no name)" : name}${result.isError ? " failed" : ""}: ${parts.join(" ") || "(no output)"}`;
  });
  return `${results.length === 1 ? "1 tool result" : `${results.length} tool results`}:\n${lines.join("\n")}`;
}

/** The two lines for a prompt that is no script. */
export function introduce(request: ModelRequest): string {
  const tools = names(request.tools.map((tool) => tool.name));
  const commands = names((request.commands ?? []).map((name) => `/${name.replace(/^\//, "")}`));
  return `This is zot's offline model: no network, no key, answers by rules (zot help offline).\nTools: ${tools}. Commands: ${commands}.`;
}

function names(all: readonly string[]): string {
  if (all.length === 0) return "none";
  const rest = all.length - MAX_NAMES;
  return `${all.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
