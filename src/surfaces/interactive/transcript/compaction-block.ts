import type { CompactionReason } from "../../../agent/events.ts";
import { clampRow, wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { FoldingBlock } from "./folding-block.ts";
import { liveTail } from "./live-tail.ts";

const MAX_ROWS = 2_000;
const HEAD_ROWS = 3;
const FAULT_ROWS = 10;
/** What is kept of it; the session has it all. */
const MAX_CHARS = 256 * 1024;
const LIVE_ROWS = 3;

const WHY: Readonly<Record<CompactionReason, string>> = {
  manual: "",
  threshold: "the context was nearly full",
  overflow: "it was too long for the model",
};

type State =
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly tokensBefore: number | undefined }
  | { readonly kind: "failed"; readonly error: string | undefined };

/** The place where a summary took the place of what was said before (extension-host.md §8.5); the summary itself is folded. */
export class CompactionBlock extends FoldingBlock {
  readonly #look: Look;
  readonly #reason: CompactionReason | undefined;
  #state: State = { kind: "running" };
  #summary = "";

  /** @param reason undefined for one of an earlier run */
  constructor(look: Look, reason: CompactionReason | undefined) {
    super();
    this.#look = look;
    this.#reason = reason;
  }

  override get chars(): number {
    return this.#summary.length;
  }

  append(delta: string): void {
    if (this.#summary.length >= MAX_CHARS) return;
    this.#summary += headOf(delta, MAX_CHARS - this.#summary.length);
    this.changed();
  }

  /** @param tokensBefore an estimate of how long the conversation was; undefined when nobody knows */
  finish(summary: string, tokensBefore: number | undefined): void {
    this.#summary = headOf(summary, MAX_CHARS);
    this.#state = { kind: "done", tokensBefore };
    this.changed();
  }

  /** The conversation stays as it was. @param error undefined: somebody cut it short */
  fail(error: string | undefined): void {
    this.#summary = "";
    this.#state = { kind: "failed", error };
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    switch (this.#state.kind) {
      case "running":
        return [...this.#head(["summarising the conversation…", this.#why()], width), ...this.#live(width), ""];
      case "done": {
        const size = sizeText(this.#state.tokensBefore);
        const head = this.#head(["conversation summarised", this.#why(), size, "ctrl+o"], width);
        return this.isOpen ? [...head, ...this.#all(width), ""] : [...head, ""];
      }
      case "failed":
        return [...this.#fault(this.#state.error, width), ""];
    }
  }

  #why(): string {
    return this.#reason === undefined ? "" : WHY[this.#reason];
  }

  #fault(error: string | undefined, width: number): string[] {
    const kept = "the conversation stays as it was";
    if (error === undefined) return [this.#row("muted", clampRow(`⇣ not summarised: ${kept}`, width))];
    const rows = wrapRows(safeText(`not summarised: ${error} · ${kept}`, "strip"), width - 2, FAULT_ROWS);
    return rows.map((row, index) => this.#row("error", `${index === 0 ? "✗ " : "  "}${row}`));
  }

  #head(pieces: readonly string[], width: number): string[] {
    const text = pieces.filter((piece) => piece !== "").join(" · ");
    const rows = wrapRows(text, width - 2, HEAD_ROWS);
    return rows.map((row, index) => this.#row("muted", `${index === 0 ? "⇣ " : "  "}${row}`));
  }

  /** The last rows of it while it is written. */
  #live(width: number): string[] {
    const tail = safeText(liveTail(this.#summary, width, LIVE_ROWS), "strip").trim();
    return wrapRows(tail, width - 2, MAX_ROWS)
      .slice(-LIVE_ROWS)
      .map((row) => this.#row("faint", `  ${row}`));
  }

  #all(width: number): string[] {
    const text = safeText(this.#summary, "strip").trim();
    return wrapRows(text, width - 2, MAX_ROWS).map((row) => this.#row("muted", `  ${row}`));
  }

  #row(role: Role, text: string): string {
    return this.#look.paint(role, text);
  }
}

function sizeText(tokens: number | undefined): string {
  return tokens === undefined ? "" : `about ${tokens.toLocaleString("en")} tokens before`;
}
