import { RpcError } from "../../error.ts";
import type { Handlers } from "../context.ts";

const LEVELS = ["off", "progress", "events"];

/** Subagents: there are none yet, so every question about them has its honest answer (rpc-wire.md §2). */
export const subagentCommands: Handlers = {
  set_subagent_subscription: (_context, { fields }) => {
    const { level } = fields;
    if (typeof level !== "string" || !LEVELS.includes(level)) {
      throw new RpcError(`Invalid subagent subscription level: ${typeof level === "string" ? level : String(level)}`);
    }
    return { level };
  },
  get_subagents: () => ({ subagents: [] }),
  get_subagent_messages: (_context, { fields }) => {
    const which = fields["subagentId"] ?? fields["sessionFile"];
    if (typeof which !== "string") throw new RpcError("get_subagent_messages requires subagentId or sessionFile");
    throw new RpcError(`Unknown subagent or session file unavailable: ${which}`);
  },
  cancel_subagent: () => ({ cancelled: false }),
  steer_subagent: (_context, { fields }) => {
    throw new RpcError(`Subagent not running: ${String(fields["subagentId"])}`);
  },
};
