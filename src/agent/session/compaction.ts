import type { UserMessage } from "../../llm/messages.ts";
import type { Contents, Entry } from "./contents.ts";

/** A summary in place of most of the transcript (extension-host.md §8.5). */
export interface Compaction {
  /** Must say something. */
  readonly summary: UserMessage;
  /** How many of the last messages stay; a tool message keeps the calls before it. */
  readonly keep: number;
  /** What the transcript weighed before. */
  readonly tokensBefore: number;
}

/** The transcript after a compaction. Its summary carries the names of all tools that were switched on. */
export function compacted(contents: Contents, { summary, keep, tokensBefore }: Compaction): Entry[] {
  const { entries, activated } = contents;
  let from = entries.length - Math.min(Math.max(Math.trunc(keep), 0), entries.length);
  while (from > 0 && entries[from]?.message.role === "tool") from -= 1;
  const meta = { compaction: "true", tokens_before: String(tokensBefore) };
  return [{ message: summary, meta, addedToolNames: [...activated], place: undefined }, ...entries.slice(from)];
}
