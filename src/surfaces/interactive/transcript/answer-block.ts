import type { Token } from "marked";
import { wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { answerPieces } from "./answer-pieces.ts";
import { Block } from "./block.ts";
import { CodeRows } from "./code-rows.ts";
import type { Highlighter } from "./highlight.ts";
import type { Markdown } from "./markdown.ts";
import type { MarkdownReader } from "./markdown-reader.ts";
import { MarkdownRows } from "./markdown-rows.ts";

/** A character or a sequence that may go on with the next delta; on its own its first half would turn into text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFINISHED = /(?:\r|[\ud800-\udbff]|[\u001b\u0090\u009b\u009d][^\n]{0,100})$/;
/** A letter with its marks: what comes next may be more of them. */
const LETTER = /[^\n\p{M}\u200b-\u200d][\p{M}\u200b-\u200d]*$/u;
const LETTER_MAX_CHARS = 16;
/** What is taken apart at once; a stored answer comes as a whole. Beyond 10 kB an expression of the library costs 30 ms. */
const PORTION_CHARS = 4 * 1024;
/** What is kept of it; the session has it all. */
const MAX_CHARS = 512 * 1024;
const CUT = "\n\n… (cut on the screen)";

export interface AnswerParts {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly markdown: Markdown;
}

/**
 * What the model says, as it comes. Finished paragraphs, lists and code blocks are frozen: they are parsed once, and a
 * frame costs what the unfinished end costs, which is bounded, however long the answer is.
 */
export class AnswerBlock extends Block {
  readonly #parts: AnswerParts;
  #frozen: Block[] = [];
  /** What has come since the last parse. */
  #incoming = "";
  /** Safe text behind the frozen part. */
  #tail = "";
  #tailBlocks: Block[] = [];
  #tailIsParsed = true;
  #isOpen = true;
  #chars = 0;
  #loaded = 0;

  constructor(parts: AnswerParts, text = "") {
    super();
    this.#parts = parts;
    if (text !== "") this.append(text);
  }

  protected override get isMadeOfBlocks(): boolean {
    return this.#parts.markdown.reader !== undefined;
  }

  override get chars(): number {
    return Math.min(this.#chars, MAX_CHARS);
  }

  append(delta: string): void {
    if (this.#chars >= MAX_CHARS) return;
    const kept = headOf(delta, MAX_CHARS - this.#chars);
    this.#incoming += kept.length === delta.length ? kept : kept + CUT;
    this.#chars += delta.length;
    this.#tailIsParsed = false;
    this.changed();
  }

  /** No more will come. */
  close(): void {
    this.#isOpen = false;
    this.#tailIsParsed = false;
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    for (const block of [...this.#frozen, ...this.#tailBlocks]) block.invalidate();
  }

  override render(width: number): readonly string[] {
    const { markdown, highlighter } = this.#parts;
    // Whoever shows it need not know: text becomes markdown, and code coloured, once those are loaded.
    const loaded = Number(markdown.reader !== undefined) + Number(highlighter.isLoaded);
    if (loaded !== this.#loaded) this.invalidate();
    this.#loaded = loaded;
    return super.render(width);
  }

  protected draw(width: number): readonly string[] {
    const { reader } = this.#parts.markdown;
    if (reader === undefined) {
      const come = this.#isOpen ? this.#incoming.replace(UNFINISHED, "") : this.#incoming;
      return [...wrapRows(safeText(come, "strip").trimEnd(), width), ""];
    }
    if (!this.#tailIsParsed) this.#parse(reader);
    return [...this.#frozen, ...this.#tailBlocks].flatMap((block) => block.render(width));
  }

  #parse(reader: MarkdownReader): void {
    this.#tailIsParsed = true;
    let rest: readonly Token[] = [];
    for (let more = true; more; ) {
      more = this.#takePortion();
      rest = this.#freeze(reader, this.#isOpen || more);
    }
    const shown = rest.filter((token) => token.type !== "space");
    this.#tailBlocks = shown.map((token, index) => this.#tailBlock(reader, token, index, index === shown.length - 1));
  }

  /** False when that was all that can be taken now. */
  #takePortion(): boolean {
    const portion = headOf(this.#incoming, PORTION_CHARS);
    const isLast = portion.length === this.#incoming.length;
    const held = isLast && !this.#isOpen ? "" : (UNFINISHED.exec(portion)?.[0] ?? "");
    const taken = portion.slice(0, portion.length - held.length);
    // Marks that come apart from their letter still belong to it.
    const letter = LETTER.exec(this.#tail.slice(-LETTER_MAX_CHARS))?.[0] ?? "";
    this.#tail += safeText(letter + taken, "strip").slice(letter.length);
    this.#incoming = this.#incoming.slice(taken.length);
    return !isLast;
  }

  /** Freezes what is finished. @returns the tokens of the tail */
  #freeze(reader: MarkdownReader, isOpen: boolean): readonly Token[] {
    const tokens = reader.tokens(this.#tail);
    // The last two may still change: a line that follows can make a heading of a paragraph, or join two lists.
    const finished = isOpen ? tokens.slice(0, -2) : tokens;
    for (const token of finished) this.#freezeToken(reader, token);
    const rest = tokens.slice(finished.length);
    const long = rest.findLast((token) => !isFenced(token) && answerPieces(token).length > 1);
    if (long === undefined) return rest;
    for (const token of rest.slice(0, rest.indexOf(long))) this.#freezeToken(reader, token);
    const pieces = answerPieces(long);
    for (const piece of pieces.slice(0, -1)) this.#frozen.push(reader.rows(piece, true));
    this.#tail = (pieces.at(-1) ?? "") + this.#tail.slice(long.raw.length);
    return reader.tokens(this.#tail);
  }

  #freezeToken(reader: MarkdownReader, token: Token): void {
    this.#tail = this.#tail.slice(token.raw.length);
    if (token.type === "space") return;
    if (isFenced(token)) {
      this.#frozen.push(this.#code(token, false));
      return;
    }
    const pieces = answerPieces(token);
    this.#frozen.push(...pieces.map((piece, index) => reader.rows(piece, index < pieces.length - 1)));
  }

  /** @param index place in the tail, whose blocks are used again as they grow */
  #tailBlock(reader: MarkdownReader, token: Token, index: number, isLast: boolean): Block {
    const old = this.#tailBlocks[index];
    if (isFenced(token)) return this.#code(token, isLast && this.#isOpen, old);
    if (!(old instanceof MarkdownRows)) return reader.rows(token.raw);
    old.setText(token.raw);
    return old;
  }

  #code(token: CodeToken, isOpen: boolean, old?: Block): CodeRows {
    const block = old instanceof CodeRows ? old : new CodeRows(this.#parts.look, this.#parts.highlighter);
    block.set(token.text, token.lang ?? "", isOpen);
    return block;
  }
}

type CodeToken = Token & { readonly type: "code"; readonly text: string; readonly lang?: string };

function isFenced(token: Token): token is CodeToken {
  return token.type === "code" && /^ {0,3}(```|~~~)/.test(token.raw);
}
