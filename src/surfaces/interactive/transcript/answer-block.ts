import type { Token } from "marked";
import { wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";
import { CodeRows } from "./code-rows.ts";
import type { Highlighter } from "./highlight.ts";
import type { Markdown } from "./markdown.ts";
import type { MarkdownReader } from "./markdown-reader.ts";
import { MarkdownRows } from "./markdown-rows.ts";

/** A sequence that may go on with the next delta; on its own it would turn into text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFINISHED = /(?:\r|[\u001b\u0090\u009b\u009d][^\n]{0,100})$/;
/** A single paragraph or list this long is cut at its last line, so that one frame never costs more than a short text. */
const TAIL_MAX_CHARS = 16 * 1024;

export interface AnswerParts {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly markdown: Markdown;
}

/**
 * What the model says, as it comes. Finished paragraphs, lists and code blocks are frozen: they are parsed once, and a
 * frame costs what the unfinished end costs, however long the answer is.
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

  constructor(parts: AnswerParts, text = "") {
    super();
    this.#parts = parts;
    if (text !== "") this.append(text);
  }

  append(delta: string): void {
    this.#incoming += delta;
    this.#tailIsParsed = false;
    this.changed();
  }

  /** No more will come. */
  close(): void {
    this.#isOpen = false;
    this.#tailIsParsed = false;
    this.changed();
  }

  /** Starts again: the attempt failed and is repeated, or the text was rewritten. */
  setText(text: string): void {
    this.#frozen = [];
    this.#tailBlocks = [];
    this.#tail = "";
    this.#incoming = "";
    this.append(text);
  }

  override invalidate(): void {
    super.invalidate();
    for (const block of [...this.#frozen, ...this.#tailBlocks]) block.invalidate();
  }

  protected draw(width: number): readonly string[] {
    const { reader } = this.#parts.markdown;
    if (reader === undefined) return this.#plain(width);
    if (!this.#tailIsParsed) this.#parse(reader);
    return [...this.#frozen, ...this.#tailBlocks].flatMap((block) => block.render(width));
  }

  /** Before markdown can be read. */
  #plain(width: number): readonly string[] {
    this.#takeIncoming();
    return [...wrapRows(this.#tail.trimEnd(), width), ""];
  }

  #parse(reader: MarkdownReader): void {
    this.#tailIsParsed = true;
    this.#takeIncoming();
    const tokens = reader.tokens(this.#tail);
    // The last two may still change: a line that follows can make a heading of a paragraph, or join two lists.
    const finished = this.#isOpen ? tokens.slice(0, -2) : tokens;
    for (const token of finished) {
      this.#frozen.push(...this.#blockOf(reader, token, false));
      this.#tail = this.#tail.slice(token.raw.length);
    }
    const rest = tokens.slice(finished.length).filter((token) => token.type !== "space");
    this.#tailBlocks = rest.flatMap((token, index) => this.#blockOf(reader, token, index === rest.length - 1, index));
    if (this.#tail.length > TAIL_MAX_CHARS && rest.at(-1)?.type !== "code") this.#freezeTail(reader);
  }

  #takeIncoming(): void {
    const held = this.#isOpen ? (UNFINISHED.exec(this.#incoming)?.[0] ?? "") : "";
    this.#tail += safeText(this.#incoming.slice(0, this.#incoming.length - held.length), "strip");
    this.#incoming = held;
  }

  /** @param index place in the tail, whose blocks are used again as they grow */
  #blockOf(reader: MarkdownReader, token: Token, isOpen: boolean, index?: number): Block[] {
    if (token.type === "space") return [];
    const old = index === undefined ? undefined : this.#tailBlocks[index];
    if (token.type === "code" && isFenced(token)) {
      const block = old instanceof CodeRows ? old : new CodeRows(this.#parts.look, this.#parts.highlighter);
      block.set(token.text, token.lang ?? "", isOpen);
      return [block];
    }
    if (!(old instanceof MarkdownRows)) return [reader.rows(token.raw)];
    old.setText(token.raw);
    return [old];
  }

  #freezeTail(reader: MarkdownReader): void {
    const end = this.#tail.lastIndexOf("\n") + 1;
    if (end === 0) return;
    this.#frozen.push(reader.rows(this.#tail.slice(0, end)));
    this.#tail = this.#tail.slice(end);
    this.#tailBlocks = [];
    this.#tailIsParsed = this.#tail === "";
    if (!this.#tailIsParsed) this.#parse(reader);
  }
}

type CodeToken = Token & { readonly type: "code"; readonly text: string; readonly lang?: string };

function isFenced(token: Token): token is CodeToken {
  return token.type === "code" && /^ {0,3}(```|~~~)/.test(token.raw);
}
