import { RpcError } from "../../error.ts";
import type { Handlers } from "../context.ts";

/** Side questions (rpc-wire.md §3.7). */
export const asideCommands: Handlers = {
  btw: ({ aside }, { fields }) => {
    const { question, recordId } = fields;
    if (typeof question !== "string" || question.trim() === "") {
      throw new RpcError("btw requires a non-empty question");
    }
    return { record: aside.ask(question.trim(), topicOf(recordId)) };
  },
  btw_cancel: ({ aside }, { fields }) => ({ cancelled: aside.cancel(topicOf(fields["recordId"])) }),
  get_btw_history: ({ aside }) => ({ records: aside.records }),
};

function topicOf(recordId: unknown): string | undefined {
  if (recordId === undefined || recordId === null) return undefined;
  if (typeof recordId === "string") return recordId;
  throw new RpcError("recordId must be a text");
}
