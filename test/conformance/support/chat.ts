import type { ModelServer } from "../../support/model-server.ts";

/** One message of a Chat Completions request. */
export interface ChatMessage {
  readonly role: unknown;
  /** Its texts, joined by LF. */
  readonly text: string;
}

/** What request number `at` told the model; throws when there was none. */
export function chatOf(server: ModelServer, at: number): ChatMessage[] {
  const messages = server.requests[at]?.at("messages");
  if (!Array.isArray(messages)) throw new Error(`there were only ${server.requests.length} requests`);
  return messages.map((message: { readonly role?: unknown; readonly content?: unknown }) => {
    return { role: message.role, text: textsOf(message.content).join("\n") };
  });
}

/** The texts of all tool results that request number `at` held, in their order. */
export function resultsIn(server: ModelServer, at: number): string[] {
  return chatOf(server, at)
    .filter(({ role }) => role === "tool")
    .map(({ text }) => text);
}

/** The tools that request number `at` offered, by name. */
export function toolsIn(server: ModelServer, at: number): Map<string, { description?: unknown; parameters?: unknown }> {
  const tools = server.requests[at]?.at("tools");
  if (!Array.isArray(tools)) return new Map();
  return new Map(
    tools.map((tool: { readonly function: { name: string; description?: unknown; parameters?: unknown } }) => {
      return [tool.function.name, tool.function];
    }),
  );
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content
    .map((part: { readonly text?: unknown }) => part.text)
    .filter((text): text is string => typeof text === "string");
}
