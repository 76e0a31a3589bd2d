import { chatProblems } from "./strict-chat.ts";
import { messagesProblems } from "./strict-messages.ts";
import type { Protocol } from "./turn.ts";
import { at, isRecord } from "./value.ts";

/** What the real service would refuse in a request; empty when it would take it. */
export function problemsOf(protocol: Protocol, body: unknown): string[] {
  if (!isRecord(body)) return ["the request body is not a JSON object"];
  const problems = halfCharacters(body) ? ["the request body holds half of a surrogate pair"] : [];
  if (at(body, "stream") !== true) problems.push("stream is not true");
  if (protocol === "chat") problems.push(...chatProblems(body));
  if (protocol === "messages") problems.push(...messagesProblems(body));
  return problems;
}

function halfCharacters(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(halfCharacters);
  return isRecord(value) && Object.entries(value).some(([key, item]) => !key.isWellFormed() || halfCharacters(item));
}
