import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../../agent/approval.ts";
import type { Foreground } from "../screen/foreground.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { type ApprovalDetail, approvalDetail } from "./approval-detail.ts";
import { ChoiceDialog } from "./choice-dialog.ts";

export interface ApprovalParts {
  readonly look: Look;
  readonly foreground: Foreground;
  /** Absolute project directory. */
  readonly cwd: string;
  redraw(): void;
}

/** Asks the user before a tool runs, with the arguments as they will be used (issue: confirmation). */
export class ApprovalDialogs implements Approver {
  readonly #parts: ApprovalParts;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const detail = await approvalDetail(request, this.#parts.cwd, this.#parts.look);
    if (signal.aborted) return "no";
    return this.#open(request.name, detail, signal);
  }

  #open(name: string, { rows, warning }: ApprovalDetail, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { look, foreground, redraw } = this.#parts;
    const tool = safeLine(name, "strip");
    return new Promise((resolve) => {
      const end = (answer: ApprovalAnswer): void => {
        signal.removeEventListener("abort", refuse);
        foreground.close(dialog);
        redraw();
        resolve(answer);
      };
      const refuse = (): void => end("no");
      const dialog = new ChoiceDialog<ApprovalAnswer>(look, {
        title: () => `may ${tool} run?`,
        detail: rows,
        warning,
        choices: [
          { key: "y", label: "yes, this time", value: "yes" },
          { key: "a", label: `yes, always ${tool} in this session`, value: "always_this_tool" },
          { key: "A", label: "yes, always every tool in this session", value: "always_all" },
          { key: "n", label: "no", value: "no" },
        ],
        otherwise: "no",
        chosen: end,
      });
      signal.addEventListener("abort", refuse, { once: true });
      foreground.ask(dialog);
      redraw();
    });
  }
}
