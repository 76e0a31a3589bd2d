import { LlmError } from "../llm/error.ts";
import type { Message } from "../llm/messages.ts";
import type { Agent } from "./agent.ts";

const INSTRUCTION =
  "The user asks something besides the task at hand. Answer it briefly from the conversation above and from what you know. Call no tools.";

/** What a side question gets to hear; `delta` is called as the answer comes. */
export interface SideListener {
  delta(text: string): void;
}

/**
 * Asks the model about the conversation as it stands, which stays as it is. Resolves with what went wrong, in
 * words; undefined when nothing did. Never rejects for a fault of the service.
 */
export async function askAside(
  agent: Agent,
  question: string,
  listener: SideListener,
  signal: AbortSignal,
): Promise<string | undefined> {
  const asked = {
    role: "user",
    content: [{ type: "text", text: `${INSTRUCTION}\n\n${question}` }],
    time: Date.now(),
  } as const;
  const request = {
    systemPrompt: "",
    messages: [...settled(agent.session.messages), asked],
    // Services refuse a history with tool calls in a request without tools.
    tools: agent.tools,
    ...(agent.reasoning === undefined ? {} : { reasoning: agent.reasoning }),
  };
  try {
    for await (const event of agent.model.stream(request, signal)) {
      if (event.type === "text_delta") listener.delta(event.delta);
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return "cancelled";
    if (error instanceof LlmError) return error.message;
    throw error;
  }
}

/** The messages up to the last call whose results are there: a running turn has calls without any. */
function settled(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  const isOpen = last?.role === "assistant" && last.content.some((block) => block.type === "tool_call");
  return isOpen ? messages.slice(0, -1) : [...messages];
}
