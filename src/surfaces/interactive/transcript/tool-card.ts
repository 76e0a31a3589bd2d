import type { ToolResultBlock } from "../../../llm/messages.ts";
import { textOf } from "../../../llm/messages.ts";
import { clampRow } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { foldHead, foldTail } from "./fold.ts";
import { FoldingBlock } from "./folding-block.ts";
import { liveTail } from "./live-tail.ts";
import { type Picture, picturesOf } from "./picture.ts";
import { keptTail, keptText, outputRows } from "./tool-output.ts";
import { toolTitle } from "./tool-title.ts";

export type CallState = "writing" | "waiting" | "asking" | "running" | "done" | "failed";

const MARKS: Readonly<Record<CallState, { readonly mark: string; readonly role: Role }>> = {
  writing: { mark: "○", role: "muted" },
  waiting: { mark: "○", role: "muted" },
  asking: { mark: "?", role: "warn" },
  running: { mark: "◐", role: "tool" },
  done: { mark: "●", role: "success" },
  failed: { mark: "●", role: "error" },
};

const ARGUMENTS_MAX_CHARS = 64 * 1024;
const RUNNING_ROWS = 5;
/** When it is unfolded. */
const RUNNING_OPEN_ROWS = 200;
const FAILED_ROWS = 10;
/** Rows of a finished result that are shown without asking; what was read was asked for by its name, not to be shown. */
const DONE_ROWS: Readonly<Record<string, number>> = { read: 0, edit: 16, write: 6 };
const DONE_ROWS_ELSE = 6;
/** A call that is over within this needs no time beside it. */
const QUICK_MS = 1_000;
const INSET = "  ";

/** One call of a tool: what is called with what, how it goes, and what came of it. */
export class ToolCard extends FoldingBlock {
  readonly #look: Look;
  readonly #name: string;
  /** As far as they have been written; "" once they are complete, when the title is all that is needed of them. */
  #args = "";
  /** Undefined: to be made of the arguments. */
  #title: string | undefined;
  #state: CallState = "writing";
  #startedAt: number | undefined;
  #tookMs: number | undefined;
  #progress = "";
  #progressLines = 0;
  #result: string | undefined;
  #pictures: readonly Picture[] = [];

  constructor(look: Look, name: string) {
    super();
    this.#look = look;
    this.#name = name;
  }

  override get chars(): number {
    const pictures = this.#pictures.reduce((sum, { chars }) => sum + chars, 0);
    return this.#args.length + this.#progress.length + (this.#result?.length ?? 0) + pictures;
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  appendArguments(delta: string): void {
    if (this.#args.length >= ARGUMENTS_MAX_CHARS) return;
    this.#args += headOf(delta, ARGUMENTS_MAX_CHARS - this.#args.length);
    this.#title = undefined;
    this.changed();
  }

  /** All of them. */
  setArguments(args: string): void {
    this.#args = "";
    this.#title = toolTitle(args);
    this.#state = "waiting";
    this.changed();
  }

  ask(): void {
    this.#state = "asking";
    this.changed();
  }

  run(): void {
    this.#state = "running";
    this.#startedAt = performance.now();
    this.changed();
  }

  progress(text: string): void {
    this.#progress = keptTail(this.#progress + text);
    this.#progressLines += text.split("\n").length - 1;
    this.changed();
  }

  /** All that it has to show so far, in place of what it showed before. */
  show(content: ToolResultBlock["content"]): void {
    this.#progress = keptTail(textOf({ content }, "\n"));
    this.#progressLines = this.#progress.split("\n").length;
    this.changed();
  }

  finish(result: ToolResultBlock): void {
    this.#state = result.isError ? "failed" : "done";
    this.#tookMs = this.#startedAt === undefined ? undefined : performance.now() - this.#startedAt;
    this.#result = keptText(textOf(result, "\n"));
    this.#pictures = picturesOf(this.#look, result.content);
    this.#progress = "";
    this.changed();
  }

  /** Nothing more will come of it: the turn ended without a result. */
  abandon(): void {
    if (this.#state === "done" || this.#state === "failed") return;
    this.#state = "failed";
    this.#result ??= "cancelled";
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    // Never none: what a tool says must not look like the heads of cards, or words of our own.
    const inset = width > 24 ? INSET : " ";
    const body = this.#body(width - inset.length).map((row) => inset + row);
    const pictures = this.#pictures.flatMap((picture) => picture.render(width));
    return [this.#head(width), ...body, ...pictures, ""];
  }

  #head(width: number): string {
    const { mark, role } = MARKS[this.#state];
    const name = this.#look.bold(this.#look.paint("tool", safeLine(this.#name, "strip")));
    const title = safeLine(this.#titleRow(), "strip").trim();
    const note = this.#note();
    const tail = note === "" ? "" : this.#look.paint("muted", `  ${note}`);
    return clampRow(`${this.#look.paint(role, mark)} ${name}${title === "" ? "" : ` ${title}`}${tail}`, width);
  }

  #titleRow(): string {
    this.#title ??= toolTitle(this.#args);
    const title = this.#title;
    if (this.#name !== "read" || this.#result === undefined || this.#state === "failed") return title;
    const lines = this.#result === "" ? 0 : this.#result.split("\n").length;
    return this.#pictures.length > 0 ? title : `${title} (${lines} ${lines === 1 ? "line" : "lines"})`;
  }

  #note(): string {
    if (this.#state === "asking") return "waits for your answer";
    const ms =
      this.#state === "running" && this.#startedAt !== undefined ? performance.now() - this.#startedAt : this.#tookMs;
    return ms === undefined || ms < QUICK_MS ? "" : `${Math.floor(ms / 1000)} s`;
  }

  #body(width: number): string[] {
    if (this.#result === undefined) return this.#runningRows(this.isOpen ? RUNNING_OPEN_ROWS : RUNNING_ROWS, width);
    const failed = this.#state === "failed";
    const rows = this.#result === "" ? [] : this.#resultRows(failed, width);
    if (this.isOpen) return rows;
    const max = failed ? FAILED_ROWS : (DONE_ROWS[this.#name] ?? DONE_ROWS_ELSE);
    if (max === 0) return [];
    // The end of a command's output says how it went; of anything else the beginning tells more.
    return this.#name === "bash" ? foldHead(rows, max, this.#look, width) : foldTail(rows, max, this.#look, width);
  }

  /** The last rows of what it has said so far. */
  #runningRows(count: number, width: number): string[] {
    if (this.#progress === "") return [];
    const rows = outputRows("", liveTail(this.#progress, width, count), this.#look, width);
    const hidden = this.#progressLines - count;
    const shown = rows.slice(-count);
    return hidden > 0 ? [this.#look.paint("faint", clampRow(`… ${hidden} lines before`, width)), ...shown] : shown;
  }

  #resultRows(failed: boolean, width: number): string[] {
    if (!failed) return outputRows(this.#name, this.#result ?? "", this.#look, width);
    const rows = outputRows(this.#name === "bash" ? "bash" : "", this.#result ?? "", this.#look, width);
    return rows.map((row, index) => (index === 0 && this.#name !== "bash" ? this.#look.paint("error", row) : row));
  }
}
