import type { Session } from "../../../agent/session/session.ts";
import type { AssistantMessage, Message } from "../../../llm/messages.ts";
import { textOf } from "../../../llm/messages.ts";
import { contentText, EMPTY_ANSWER } from "./conversation.ts";
import type { ToolCard } from "./tool-card.ts";
import type { TranscriptView } from "./transcript.ts";

/** Messages that a resumed session shows; the model gets all of them (extension-host.md §6.4). */
const SHOWN_MAX = 100;

type Told = Pick<Session, "messages" | "displayText" | "metaOf">;

/** Shows a conversation that was had before. */
export function replay(session: Told, view: TranscriptView): void {
  const { messages } = session;
  const hidden = Math.max(0, messages.length - SHOWN_MAX);
  if (hidden > 0) view.text(`… ${hidden} earlier messages`, "faint");
  const calls = new Map<string, ToolCard>();
  for (const message of messages.slice(-SHOWN_MAX)) show(message, session, view, calls);
  for (const card of calls.values()) card.abandon();
}

function show(message: Message, session: Told, view: TranscriptView, calls: Map<string, ToolCard>): void {
  switch (message.role) {
    case "user": {
      const { compaction, tokens_before } = session.metaOf(message);
      if (compaction === undefined) view.user(contentText(message.content));
      else view.compaction().finish(textOf(message, "\n"), tokenCount(tokens_before));
      break;
    }
    case "assistant":
      showAnswer(message, session.displayText(message), view, calls);
      break;
    case "tool":
      for (const result of message.content) {
        calls.get(result.callId)?.finish(result);
        calls.delete(result.callId);
      }
      break;
  }
}

/** Of a row that anybody may have written. */
function tokenCount(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** @param displayText what may be shown in place of its own text */
function showAnswer(
  message: AssistantMessage,
  displayText: string | undefined,
  view: TranscriptView,
  calls: Map<string, ToolCard>,
): void {
  const thoughts = message.content.filter((block) => block.type === "reasoning").map((block) => block.text);
  if (thoughts.some((thought) => thought !== "")) view.reasoning(thoughts.join(""));
  const text = displayText ?? textOf(message);
  if (text !== "") view.answer(text).close();
  const called = message.content.filter((block) => block.type === "tool_call");
  if (displayText === undefined && text === "" && called.length === 0) view.text(EMPTY_ANSWER, "muted", "· ");
  for (const call of called) {
    const card = view.tool(call.name);
    card.setArguments(call.arguments);
    calls.set(call.id, card);
  }
}
