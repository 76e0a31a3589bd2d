import {
  EXTENSION_CONTEXT,
  type ImageBlock,
  type Message,
  type TextBlock,
  type ToolResultBlock,
} from "../llm/messages.ts";
import { TOOL_RESULT_MODEL_MAX_BYTES, TOOL_RESULT_OMITTED } from "../wire/limits.ts";

/**
 * The transcript as the model gets it: the text of each tool result cut to 32 KiB (extension-host.md §8.1), and the
 * hidden context of extensions put behind the last message of this one request (§4.5).
 */
export function modelView(messages: readonly Message[], extensionContext: string): Message[] {
  const view = messages.map((message): Message => {
    return message.role === "tool" ? { ...message, content: message.content.map(boundedResult) } : message;
  });
  if (extensionContext === "") return view;
  const context: TextBlock = { type: "text", text: `${EXTENSION_CONTEXT}\n${extensionContext}` };
  const last = view.at(-1);
  if (last?.role === "user") view[view.length - 1] = { ...last, content: [...last.content, context] };
  else view.push({ role: "user", content: [context], time: last?.time ?? 0 });
  return view;
}

function boundedResult(result: ToolResultBlock): ToolResultBlock {
  let left = TOOL_RESULT_MODEL_MAX_BYTES;
  let cut = false;
  const content: (TextBlock | ImageBlock)[] = [];
  for (const block of result.content) {
    if (block.type === "image") {
      content.push(block);
      continue;
    }
    if (cut) continue;
    const size = Buffer.byteLength(block.text);
    if (size <= left) {
      left -= size;
      content.push(block);
      continue;
    }
    cut = true;
    content.push({ type: "text", text: `${headOf(block.text, left)}\n${TOOL_RESULT_OMITTED}` });
  }
  return cut ? { ...result, content } : result;
}

/** The first `bytes` of UTF-8 of `text`, cut between characters. */
function headOf(text: string, bytes: number): string {
  // A UTF-16 unit is at least one byte: no need to encode all of a 4 MiB text.
  const head = Buffer.from(text.slice(0, bytes));
  let end = Math.min(bytes, head.length);
  while (end > 0 && end < head.length && ((head[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end).toString("utf8");
}
