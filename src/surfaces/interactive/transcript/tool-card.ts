import type { AgentEvent, Rewrite } from "../../../agent/events.ts";
import type { ToolResultBlock } from "../../../llm/messages.ts";
import { textOf } from "../../../llm/messages.ts";
import { clampRow } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { CALL_MARKS, type CallState } from "./call-state.ts";
import { commandOutput, isCancelledCommand } from "./command-result.ts";
import { foldHead, foldTail } from "./fold.ts";
import { FoldingBlock } from "./folding-block.ts";
import { liveTail } from "./live-tail.ts";
import { type Picture, picturesOf } from "./picture.ts";
import { changeRows, changeText } from "./rewritten-call.ts";
import { fileLines, keptTail, keptText, outputRows } from "./tool-output.ts";
import { commandOf, toolTitle } from "./tool-title.ts";

const ARGUMENTS_MAX_CHARS = 64 * 1024;
/** What the user runs with `!` and `!!`, next to what the model runs: a command all the same. */
const OWN_COMMANDS: ReadonlySet<string> = new Set(["!", "!!"]);
/** The user wants to see what came of a command of his own. */
const OWN_ROWS = 20;
const RUNNING_ROWS = 5;
/** When it is unfolded. */
const RUNNING_OPEN_ROWS = 200;
const FAILED_ROWS = 10;
/** Rows of a finished result that are shown without asking; what was read was asked for by its name, not to be shown. */
const DONE_ROWS: Readonly<Record<string, number>> = { read: 0, edit: 16, write: 6 };
const DONE_ROWS_ELSE = 6;
/** Of what an extension made of the call. */
const CHANGE_ROWS = 3;
/** A call that is over within this needs no time beside it. */
const QUICK_MS = 1_000;
const INSET = "  ";

/** How a call ended, besides its result. */
export type CallEnd = Omit<Extract<AgentEvent, { type: "tool_result" }>, "type" | "result">;

/** One call of a tool: what is called with what, how it goes, and what came of it. */
export class ToolCard extends FoldingBlock {
  readonly #look: Look;
  readonly #name: string;
  /** As far as they have been written; "" once it runs, when nothing more is needed of them. */
  #args = "";
  /** Undefined: to be made of the arguments. */
  #title: string | undefined;
  #command: string | undefined;
  /** Who changed the call, and to what. */
  #change: string | undefined;
  #state: CallState = "writing";
  #startedAt: number | undefined;
  #tookMs: number | undefined;
  #progress = "";
  #progressLines = 0;
  #result: string | undefined;
  #blocked = false;
  #fileLines = 0;
  #pictures: readonly Picture[] = [];

  constructor(look: Look, name: string) {
    super();
    this.#look = look;
    this.#name = name;
  }

  override get chars(): number {
    const pictures = this.#pictures.reduce((sum, { chars }) => sum + chars, 0);
    const texts = [this.#args, this.#command, this.#change, this.#progress, this.#result];
    return texts.reduce((sum, text) => sum + (text?.length ?? 0), pictures);
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
    this.#args = args;
    this.#title = toolTitle(args);
    this.#command = this.#isCommand ? commandOf(args) : undefined;
    this.#state = "waiting";
    this.changed();
  }

  ask(rewrite?: Rewrite): void {
    this.#rewrite(rewrite);
    this.#state = "asking";
    this.changed();
  }

  run(rewrite?: Rewrite): void {
    this.#rewrite(rewrite);
    this.#args = "";
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

  finish(result: ToolResultBlock, { blockedBy, isCancelled }: CallEnd = { isCancelled: false }): void {
    const text = textOf(result, "\n");
    this.#state = result.isError ? "failed" : "done";
    if (result.isError && (isCancelled || (this.#isCommand && isCancelledCommand(text)))) this.#state = "cancelled";
    this.#tookMs = this.#startedAt === undefined ? undefined : performance.now() - this.#startedAt;
    this.#fileLines = fileLines(text);
    this.#blocked = blockedBy !== undefined;
    this.#result = keptText(
      blockedBy === undefined
        ? commandOutput(this.#command, text)
        : `blocked by ${safeLine(blockedBy, "strip")}: ${text}`,
    );
    this.#pictures = picturesOf(this.#look, result.content);
    this.#forgetCall();
    this.changed();
  }

  /** Nothing more will come of it: the turn ended without a result. */
  abandon(): void {
    if (this.#result !== undefined) return;
    this.#state = "cancelled";
    this.#result = "cancelled";
    this.#forgetCall();
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    // Never none: what a tool says must not look like the heads of cards, or words of our own.
    const inset = width > 24 ? INSET : " ";
    const body = this.#body(width - inset.length).map((row) => inset + row);
    const pictures = this.#pictures.flatMap((picture) => picture.render(width));
    return [this.#head(width), ...body, ...pictures, ""];
  }

  get #isCommand(): boolean {
    return this.#name === "bash" || OWN_COMMANDS.has(this.#name);
  }

  #rewrite(rewrite: Rewrite | undefined): void {
    // It is told when somebody is asked, and once more when it runs.
    if (rewrite === undefined || this.#args === "" || this.#change !== undefined) return;
    this.#change = changeText(this.#args, rewrite);
    if (this.#isCommand) this.#command = commandOf(rewrite.args);
  }

  #forgetCall(): void {
    this.#title ??= toolTitle(this.#args);
    this.#args = "";
    this.#command = undefined;
    this.#progress = "";
  }

  #head(width: number): string {
    const { mark, role } = CALL_MARKS[this.#state];
    const name = this.#look.bold(this.#look.paint("tool", safeLine(this.#name, "strip")));
    const title = safeLine(this.#titleRow(), "strip").trim();
    const note = this.#note();
    const tail = note === "" ? "" : this.#look.paint("muted", `  ${note}`);
    return clampRow(`${this.#look.paint(role, mark)} ${name}${title === "" ? "" : ` ${title}`}${tail}`, width);
  }

  #titleRow(): string {
    this.#title ??= toolTitle(this.#args);
    const title = this.#title;
    if (this.#name !== "read" || this.#state !== "done") return title;
    const lines = this.#fileLines;
    return this.#pictures.length > 0 ? title : `${title} (${lines} ${lines === 1 ? "line" : "lines"})`;
  }

  #note(): string {
    if (this.#state === "asking") return "waits for your answer";
    const ms =
      this.#state === "running" && this.#startedAt !== undefined ? performance.now() - this.#startedAt : this.#tookMs;
    return ms === undefined || ms < QUICK_MS ? "" : `${Math.floor(ms / 1000)} s`;
  }

  #body(width: number): string[] {
    return [...this.#changeRows(width), ...this.#outputRows(width)];
  }

  #changeRows(width: number): string[] {
    if (this.#change === undefined) return [];
    const rows = changeRows(this.#change, width).map((row) => this.#look.paint("warn", row));
    return this.isOpen ? rows : foldTail(rows, CHANGE_ROWS, this.#look, width);
  }

  #outputRows(width: number): string[] {
    const isOwn = OWN_COMMANDS.has(this.#name);
    if (this.#result === undefined) {
      const running = isOwn ? OWN_ROWS : RUNNING_ROWS;
      return this.#runningRows(this.isOpen ? RUNNING_OPEN_ROWS : running, width);
    }
    const rows = this.#result === "" ? [] : this.#resultRows(this.#result, width);
    if (this.isOpen) return rows;
    const most = this.#state === "done" ? (DONE_ROWS[this.#name] ?? DONE_ROWS_ELSE) : FAILED_ROWS;
    const max = isOwn ? OWN_ROWS : most;
    if (max === 0) return [];
    // The end of a command's output says how it went; of anything else the beginning tells more.
    const isEndFirst = this.#isCommand && !this.#blocked;
    return isEndFirst ? foldHead(rows, max, this.#look, width) : foldTail(rows, max, this.#look, width);
  }

  /** The last rows of what it has said so far. */
  #runningRows(count: number, width: number): string[] {
    if (this.#progress === "") return [];
    const rows = outputRows("", liveTail(this.#progress, width, count), this.#look, width);
    const hidden = this.#progressLines - count;
    const shown = rows.slice(-count);
    return hidden > 0 ? [this.#look.paint("faint", clampRow(`… ${hidden} lines before`, width)), ...shown] : shown;
  }

  #resultRows(result: string, width: number): string[] {
    const isDone = this.#state === "done";
    const rows = outputRows(isDone ? this.#name : "", result, this.#look, width);
    const isFault = this.#state === "failed" && (this.#blocked || !this.#isCommand);
    return isFault ? rows.map((row, index) => (index === 0 ? this.#look.paint("error", row) : row)) : rows;
  }
}
