import type { Role } from "../theme/roles.ts";

export type CallState = "writing" | "waiting" | "asking" | "running" | "done" | "failed" | "cancelled";

/** How a call goes, told by the shape as well as by the colour: a terminal may have none. */
export const CALL_MARKS: Readonly<Record<CallState, { readonly mark: string; readonly role: Role }>> = {
  writing: { mark: "○", role: "muted" },
  waiting: { mark: "○", role: "muted" },
  asking: { mark: "?", role: "warn" },
  running: { mark: "◐", role: "tool" },
  done: { mark: "●", role: "success" },
  failed: { mark: "✗", role: "error" },
  cancelled: { mark: "⊘", role: "muted" },
};
