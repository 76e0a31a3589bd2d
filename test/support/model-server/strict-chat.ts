import { imageProblem, nameProblems, schemaProblems } from "./strict-parts.ts";
import { at, isRecord, type JsonRecord, records, textAt } from "./value.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What OpenAI refuses in a Chat Completions request. */
export function chatProblems(body: JsonRecord): string[] {
  const tools = records(body["tools"]);
  const problems = [
    ...nameProblems(
      tools.map((tool) => at(tool, "function.name")),
      NAME,
    ),
    ...tools.flatMap((tool) => schemaProblems(at(tool, "function.parameters"))),
  ];
  let waiting: string[] = [];
  records(body["messages"]).forEach((message, position) => {
    const where = `messages[${position}]`;
    const role = message["role"];
    if (role === "tool") {
      const id = textAt(message, "tool_call_id");
      if (!waiting.includes(id)) problems.push(`${where}: tool message without a call ${JSON.stringify(id)}`);
      waiting = waiting.filter((known) => known !== id);
    } else if (waiting.length > 0) {
      problems.push(`${where}: tool calls without results: ${waiting.join(", ")}`);
    }
    if (role !== "tool") waiting = records(message["tool_calls"]).map((call) => textAt(call, "id"));
    problems.push(...messageProblems(message).map((problem) => `${where}: ${problem}`));
  });
  if (waiting.length > 0) problems.push(`tool calls without results: ${waiting.join(", ")}`);
  return problems;
}

function messageProblems(message: JsonRecord): string[] {
  const { role, content } = message;
  const calls = records(message["tool_calls"]);
  const problems = calls.flatMap(callProblems);
  const ids = calls.map((call) => textAt(call, "id"));
  if (new Set(ids).size < ids.length) problems.push("two tool calls have one id");
  const isEmpty = content === undefined || content === null || content === "" || at(content, "length") === 0;
  if (isEmpty && calls.length === 0) problems.push(`${String(role)} message without content`);
  for (const part of records(content)) {
    if (part["type"] === "text" && textAt(part, "text") === "") problems.push("empty text");
    if (part["type"] !== "image_url") continue;
    const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(textAt(part, "image_url.url")) ?? [];
    const problem = imageProblem(mediaType, data);
    if (problem !== "") problems.push(problem);
  }
  return problems;
}

function callProblems(call: JsonRecord): string[] {
  const problems: string[] = [];
  if (!NAME.test(textAt(call, "function.name"))) problems.push("tool call with a name that is not allowed");
  const id = textAt(call, "id");
  if (id === "" || id.length > 40) problems.push(`tool call id ${JSON.stringify(id)} is not allowed`);
  if (!isObjectText(at(call, "function.arguments"))) problems.push("tool call arguments are not an object");
  return problems;
}

function isObjectText(text: unknown): boolean {
  try {
    return typeof text === "string" && isRecord(JSON.parse(text));
  } catch {
    // Not JSON, which is the problem reported.
    return false;
  }
}
