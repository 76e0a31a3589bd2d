import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../llm/messages.ts";
import { type Block, decodeBlock, encodeBlock } from "./block-codec.ts";
import { isRecord, rawElements, rawMembers } from "./json.ts";
import { decodeTime, encodeTime } from "./time.ts";

/** What a row says about its message besides the message: `display_text`, `compaction`, `tokens_before` … (§6.3). */
export type MessageMeta = Readonly<Record<string, string>>;

export interface MessageExtras {
  readonly meta?: MessageMeta;
  /** Deferred tools that its results switched on. */
  readonly addedToolNames?: readonly string[];
}

/** The model that wrote a message whose row does not say so. */
export interface Origin {
  readonly provider: string;
  readonly model: string;
}

export type DecodedMessage = (
  | {
      readonly kind: "message";
      readonly message: Message;
      readonly meta: MessageMeta;
      readonly addedToolNames: readonly string[];
    }
  /** Context that zut wrote for the model alone; never shown. */
  | { readonly kind: "context"; readonly text: string }
  /** Whole, but with nothing in it that our types can hold. */
  | { readonly kind: "foreign"; readonly addedToolNames: readonly string[] }
) & {
  /** Nothing had to be left out or guessed: a strict reader takes it as it stands. */
  readonly isWhole: boolean;
};

/** A message as JSON text on one line (extension-host.md §6.3); undefined when it says nothing, since no reader takes that. */
export function encodeMessage(message: Message, extras: MessageExtras = {}): string | undefined {
  const blocks = contentOf(message).flatMap((block) => encodeBlock(block) ?? []);
  if (blocks.length === 0) return undefined;
  const meta = { ...originOf(message), ...extras.meta };
  const names = extras.addedToolNames ?? [];
  return (
    `{"role":"${message.role}","content":[${blocks.join(",")}],"time":"${encodeTime(message.time)}"` +
    (Object.keys(meta).length === 0 ? "" : `,"meta":${JSON.stringify(meta)}`) +
    (names.length === 0 ? "}" : `,"added_tool_names":${JSON.stringify(names)}}`)
  );
}

function contentOf(message: Message): readonly Block[] {
  return message.content;
}

/** The keys under which zut keeps who wrote a message. */
function originOf(message: Message): Partial<Origin> {
  if (message.role !== "assistant") return {};
  const { provider, model } = message;
  return { ...(provider === "" ? {} : { provider }), ...(model === "" ? {} : { model }) };
}

/** Reads a message leniently; undefined when nothing in it can be used. `raw` gives the valid JSON that `value` came from. */
export function decodeMessage(raw: () => string, value: unknown, origin: Origin): DecodedMessage | undefined {
  if (!isRecord(value) || !Array.isArray(value["content"])) return undefined;
  const parts: readonly unknown[] = value["content"];
  let elements: string[] | undefined;
  const rawPart = (index: number): string => {
    // Cut once and only for messages with calls: rows with images are long.
    elements ??= rawElements(rawMembers(raw()).get("content") ?? "[]");
    return elements[index] ?? "{}";
  };
  const decoded = parts.map((part, index) => decodeBlock(part, () => rawPart(index)));
  const blocks = decoded.filter((block) => block !== undefined && block !== "foreign");
  const { provider, model, ...meta } = stringsOf(value["meta"]);
  const addedToolNames = namesOf(value["added_tool_names"]);
  const time = decodeTime(value["time"]);
  const isWhole = time !== undefined && parts.length > 0 && !decoded.includes(undefined) && areExtrasWhole(value);
  if (value["role"] === "developer") return { kind: "context", text: textOf(blocks), isWhole };
  const author = { provider: provider ?? origin.provider, model: model ?? origin.model };
  const message = messageOf(value["role"], blocks, time ?? 0, author);
  if (message !== undefined) return { kind: "message", message, meta, addedToolNames, isWhole };
  return isWhole && isRole(value["role"]) ? { kind: "foreign", addedToolNames, isWhole } : undefined;
}

function isRole(role: unknown): boolean {
  return role === "user" || role === "assistant" || role === "tool";
}

/** The message of `role` with the blocks that it can hold; undefined when there are none. */
function messageOf(role: unknown, blocks: readonly Block[], time: number, author: Origin): Message | undefined {
  if (role === "user") {
    const content: UserMessage["content"] = blocks.filter((block) => block.type === "text" || block.type === "image");
    return content.length === 0 ? undefined : { role, content, time };
  }
  if (role === "assistant") {
    const content: AssistantMessage["content"] = blocks.filter(
      (block) => block.type === "text" || block.type === "reasoning" || block.type === "tool_call",
    );
    return content.length === 0 ? undefined : { role, content, time, ...author };
  }
  if (role === "tool") {
    const content: ToolMessage["content"] = blocks.filter((block) => block.type === "tool_result");
    return content.length === 0 ? undefined : { role, content, time };
  }
  return undefined;
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries);
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

function areExtrasWhole(value: Readonly<Record<string, unknown>>): boolean {
  const { meta, added_tool_names: names } = value;
  const isMetaWhole = meta === undefined || (isRecord(meta) && Object.values(meta).every(isString));
  const areNamesWhole = names === undefined || (Array.isArray(names) && names.every(isString));
  return isMetaWhole && areNamesWhole;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
