import { imageProblem, nameProblems, schemaProblems } from "./strict-parts.ts";
import { at, isRecord, type JsonRecord, records, textAt } from "./value.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** What Anthropic refuses in a Messages request. */
export function messagesProblems(body: JsonRecord): string[] {
  const tools = records(body["tools"]);
  const messages = records(body["messages"]);
  const problems = [
    ...nameProblems(
      tools.map((tool) => tool["name"]),
      TOOL_NAME,
    ),
    ...tools.flatMap((tool) => schemaProblems(tool["input_schema"])),
    ...blocksOf(body["system"]).flatMap(textProblems),
  ];
  const limit = body["max_tokens"];
  if (typeof limit !== "number" || limit < 1) problems.push("max_tokens: field required");
  if (messages.length === 0) problems.push("at least one message is required");
  if (messages[0] !== undefined && messages[0]["role"] !== "user") problems.push("the first message is not the user's");
  const ids = messages.flatMap((message) => callIds(message));
  if (new Set(ids).size < ids.length) problems.push("tool_use ids must be unique");
  messages.forEach((message, position) => {
    const found = [...pairingProblems(messages, position), ...blockProblems(message)];
    problems.push(...found.map((problem) => `messages.${position}: ${problem}`));
  });
  return problems;
}

/** Blocks of a content that may also be a string. */
function blocksOf(content: unknown): JsonRecord[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : records(content);
}

function callIds(message: JsonRecord | undefined): string[] {
  return blocksOf(message?.["content"])
    .filter((block) => block["type"] === "tool_use")
    .map((block) => textAt(block, "id"));
}

function pairingProblems(messages: readonly JsonRecord[], position: number): string[] {
  const called = callIds(messages[position]);
  const before = callIds(messages[position - 1]);
  const answered = (message: JsonRecord | undefined): string[] =>
    blocksOf(message?.["content"])
      .filter((block) => block["type"] === "tool_result")
      .map((block) => textAt(block, "tool_use_id"));
  const missing = called.filter((id) => !answered(messages[position + 1]).includes(id));
  const extra = answered(messages[position]).filter((id) => !before.includes(id));
  return [
    ...missing.map((id) => `tool_use ${id} without a tool_result right after it`),
    ...extra.map((id) => `tool_result for ${id}, which was not called`),
  ];
}

function blockProblems(message: JsonRecord): string[] {
  const blocks = blocksOf(message["content"]);
  const problems = blocks.flatMap((block) => [...textProblems(block), ...imageProblems(block), ...callProblems(block)]);
  if (blocks.length === 0) problems.push("content is empty");
  if (message["role"] === "assistant" && blocks.at(-1)?.["type"] === "thinking") {
    problems.push("the final block in an assistant message cannot be thinking");
  }
  return [...problems, ...blocks.flatMap(resultProblems)];
}

function textProblems(block: JsonRecord): string[] {
  return block["type"] === "text" && textAt(block, "text").trim() === "" ? ["text blocks must hold text"] : [];
}

function imageProblems(block: JsonRecord): string[] {
  if (block["type"] !== "image") return [];
  const problem = imageProblem(at(block, "source.media_type"), at(block, "source.data"));
  return problem === "" ? [] : [problem];
}

function callProblems(block: JsonRecord): string[] {
  if (block["type"] === "thinking" && textAt(block, "signature") === "") return ["thinking without a signature"];
  if (block["type"] !== "tool_use") return [];
  const problems: string[] = [];
  if (!TOOL_NAME.test(textAt(block, "name"))) problems.push("tool_use with a name that is not allowed");
  if (!CALL_ID.test(textAt(block, "id"))) problems.push("tool_use with an id that is not allowed");
  if (!isRecord(block["input"])) problems.push("tool_use.input is not an object");
  return problems;
}

function resultProblems(block: JsonRecord): string[] {
  if (block["type"] !== "tool_result") return [];
  const inner = blocksOf(block["content"]);
  const problems = inner.flatMap((part) => [...textProblems(part), ...imageProblems(part)]);
  if (block["is_error"] === true && inner.some((part) => part["type"] === "image")) {
    problems.push("an error result must be text only");
  }
  return problems;
}
