import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../../agent/approval.ts";
import { contextDiff } from "../../../agent/tools/edit/context-diff.ts";
import type { Foreground } from "../screen/foreground.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { diffRows } from "../transcript/diff-rows.ts";
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
/** A larger file is not read only to show what would become of it. */
const FILE_MAX_BYTES = 512 * 1024;

/** Asks the user before a tool runs, with the arguments as they will be used (issue: confirmation). */
export class ApprovalDialogs implements Approver {
  readonly #parts: ApprovalParts;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const diff = await diffOf(request, this.#parts.cwd);
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

/** What a write or an edit would change, with the path in front; undefined when that cannot be told. */
async function diffOf({ name, args }: ApprovalRequest, cwd: string): Promise<string | undefined> {
  const value = args.value();
  if (value === null || typeof value !== "object") return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const path = members.get("path");
  if (typeof path !== "string" || (name !== "write" && name !== "edit")) return undefined;
  const before = await textOf(isAbsolute(path) ? path : join(cwd, path));
  if (before === undefined) return undefined;
  const after = name === "write" ? members.get("content") : edited(before, members.get("edits"));
  if (typeof after !== "string") return undefined;
  const lf = (text: string): string => text.replaceAll("\r\n", "\n");
  return safeText(`${path}\n${contextDiff(lf(before), lf(after))}`, "strip");
}

/** "" for a file that is not there yet; undefined for one that is no text of a sensible size. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > FILE_MAX_BYTES) return undefined;
    return await readFile(path, "utf8");
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "" : undefined;
  }
}

/** The text after all edits, each of which must fit once; undefined when they would fail anyway. */
function edited(before: string, edits: unknown): string | undefined {
  if (!Array.isArray(edits)) return undefined;
  let after = before.replaceAll("\r\n", "\n");
  for (const edit of edits) {
    const { oldText, newText } = editOf(edit);
    if (oldText === "" || after.split(oldText).length !== 2) return undefined;
    after = after.replace(oldText, () => newText);
  }
  return after;
}

function editOf(edit: unknown): { oldText: string; newText: string } {
  if (typeof edit !== "object" || edit === null) return { oldText: "", newText: "" };
  const members = new Map<string, unknown>(Object.entries(edit));
  const text = (key: string): string => {
    const member = members.get(key);
    return typeof member === "string" ? member.replaceAll("\r\n", "\n") : "";
  };
  return { oldText: text("oldText"), newText: text("newText") };
}
