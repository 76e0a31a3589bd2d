import { isRecord } from "../command.ts";
import { RpcError } from "../error.ts";
import { PAGE_DEFAULT_MESSAGES, PAGE_MAX_BYTES, PAGE_MAX_MESSAGES } from "../limits.ts";
import type { Conversation } from "./conversation.ts";
import type { OmpMessage } from "./message.ts";

export interface MessagePage {
  readonly messages: readonly OmpMessage[];
  readonly totalMessages: number;
  /** Where the next page begins; absent after the last one. */
  readonly nextCursor?: string;
}

/** What a cursor is good for: one state of one conversation. */
interface Cursor {
  readonly sessionId: string;
  readonly leafId: string | null;
  readonly messageCount: number;
  readonly offset: number;
}

/** Some of the messages of a conversation, oldest first (rpc-wire.md §2). Throws `RpcError`. */
export function messagePage(conversation: Conversation, cursor: unknown, limit: unknown): MessagePage {
  const { messages, id: sessionId, leafId } = conversation;
  const count = limit ?? PAGE_DEFAULT_MESSAGES;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > PAGE_MAX_MESSAGES) {
    throw new RpcError(`RPC message page limit must be between 1 and ${PAGE_MAX_MESSAGES}`);
  }
  const now = { sessionId, leafId, messageCount: messages.length };
  const offset = cursor === undefined || cursor === null ? 0 : offsetOf(cursor, now);
  const page: OmpMessage[] = [];
  let bytes = 0;
  for (const message of messages.slice(offset, offset + count)) {
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (bytes > PAGE_MAX_BYTES && page.length > 0) break;
    page.push(message);
  }
  const next = offset + page.length;
  return {
    messages: page,
    totalMessages: messages.length,
    ...(next < messages.length ? { nextCursor: encode({ ...now, offset: next }) } : {}),
  };
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function offsetOf(cursor: unknown, now: Omit<Cursor, "offset">): number {
  const fields = typeof cursor === "string" ? decode(cursor) : undefined;
  const offset = fields?.["offset"];
  const isCurrent =
    fields?.["sessionId"] === now.sessionId &&
    fields["leafId"] === now.leafId &&
    fields["messageCount"] === now.messageCount;
  if (!isCurrent || typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) {
    throw new RpcError("RPC message cursor is stale", "stale_cursor");
  }
  return offset;
}

function decode(cursor: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return isRecord(value) ? value : undefined;
  } catch {
    // Not one of ours; the caller says that it is of no use.
    return undefined;
  }
}
