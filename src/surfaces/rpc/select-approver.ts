import type { ApprovalRequest, Approver } from "../../agent/approval.ts";
import type { ClientDialogs } from "./client-dialogs.ts";
import { isRecord } from "./command.ts";

const APPROVE = "Approve";
const OPTIONS = [APPROVE, "Deny"].map((label) => ({ label, description: "" }));
/** Of all arguments together; a client shows it in a dialog. */
const DETAILS_MAX_CHARS = 4_000;

/**
 * Asks the client before a tool runs (rpc-wire.md §3.6): a `select` with Approve and Deny. Everything but "Approve"
 * means no, and so does a client that is gone.
 */
export function selectApprover(dialogs: ClientDialogs, canAsk: () => boolean): Approver {
  return {
    get isAvailable() {
      return canAsk();
    },
    async ask(request, signal) {
      const question = { kind: "select", title: titleOf(request), options: OPTIONS } as const;
      const answer = await dialogs.ask(question, { signal });
      return answer.kind === "value" && answer.value === APPROVE ? "yes" : "no";
    },
  };
}

function titleOf({ name, args }: ApprovalRequest): string {
  const value = args.value();
  const details = isRecord(value) ? Object.entries(value).map(([key, member]) => detail(key, member)) : [];
  const text = details.join("\n");
  const shown = text.length > DETAILS_MAX_CHARS ? `${text.slice(0, DETAILS_MAX_CHARS)}…` : text;
  return [`Allow tool: ${name}`, ...(shown === "" ? [] : [shown])].join("\n");
}

/** `Command: echo hi`; texts of several lines begin on a line of their own. */
function detail(key: string, value: unknown): string {
  const label = `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll("_", " ")}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("\n") || key === "content" ? `${label}:\n${text}` : `${label}: ${text}`;
}
