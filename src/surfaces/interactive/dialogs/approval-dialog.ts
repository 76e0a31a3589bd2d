import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../../agent/approval.ts";
import type { Foreground } from "../screen/foreground.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { diffRows } from "../transcript/diff-rows.ts";
import { changePreview } from "./change-preview.ts";
import { ChoiceDialog, detailText } from "./choice-dialog.ts";

export interface ApprovalParts {
  readonly look: Look;
  readonly foreground: Foreground;
  /** Absolute project directory. */
  readonly cwd: string;
  redraw(): void;
}

const DIFF_ROWS = 2_000;
const DETAIL_MAX_CHARS = 64 * 1024;

/** Asks the user before a tool runs, with the arguments as they will be used (issue: confirmation). */
export class ApprovalDialogs implements Approver {
  readonly #parts: ApprovalParts;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const diff = await changePreview(request, this.#parts.cwd);
    if (signal.aborted) return "no";
    return this.#open(request, diff, signal);
  }

  #open({ name, args }: ApprovalRequest, diff: string | undefined, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { look, foreground, redraw } = this.#parts;
    const text = safeText(JSON.stringify(args.value(), undefined, 2).slice(0, DETAIL_MAX_CHARS), "strip");
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
        detail: (width) => {
          if (diff === undefined) return detailText(text, width);
          return diffRows(diff, look, width - 2, DIFF_ROWS).map((row) => ` ${row}`);
        },
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
