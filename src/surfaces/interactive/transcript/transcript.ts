import type { CompactionReason } from "../../../agent/events.ts";
import { markdownTheme } from "../theme/library-themes.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { AnswerBlock } from "./answer-block.ts";
import type { Block } from "./block.ts";
import { CompactionBlock } from "./compaction-block.ts";
import { Highlighter } from "./highlight.ts";
import { Markdown } from "./markdown.ts";
import { ReasoningBlock } from "./reasoning-block.ts";
import { TextBlock } from "./text-block.ts";
import { ToolCard } from "./tool-card.ts";
import { TranscriptList } from "./transcript-list.ts";
import { TranscriptScroll } from "./transcript-scroll.ts";
import { UserBlock } from "./user-block.ts";

/** The scrolling upper part of the screen, and the blocks that stand in it. */
export class TranscriptView {
  readonly scroll: TranscriptScroll;
  readonly #list: TranscriptList;
  readonly #look: Look;
  /** What others need who show answers elsewhere. */
  readonly highlighter: Highlighter;
  readonly markdown: Markdown;
  readonly #redraw: () => void;
  #unfolded = false;

  /** @param redraw asks for a new frame */
  constructor(look: Look, redraw: () => void) {
    this.#look = look;
    this.#redraw = redraw;
    this.#list = new TranscriptList({ look, viewport: () => this.scroll, drawMore: redraw });
    this.scroll = new TranscriptScroll(this.#list, look);
    const drawAnew = (): void => {
      this.#list.invalidate();
      redraw();
    };
    this.highlighter = new Highlighter(look, drawAnew);
    const theme = markdownTheme(look, (code, language) => this.highlighter.lines(code, language));
    this.markdown = new Markdown(theme, drawAnew);
  }

  get turns(): readonly UserBlock[] {
    return this.#list.blocks.filter((block) => block instanceof UserBlock);
  }

  get calls(): readonly ToolCard[] {
    return this.#list.blocks.filter((block) => block instanceof ToolCard);
  }

  user(text: string): UserBlock {
    return this.#add(new UserBlock(this.#look, text));
  }

  answer(text = ""): AnswerBlock {
    return this.#add(
      new AnswerBlock({ look: this.#look, highlighter: this.highlighter, markdown: this.markdown }, text),
    );
  }

  /** @param text all of it, when it is of an earlier run */
  reasoning(text?: string): ReasoningBlock {
    return this.#add(new ReasoningBlock(this.#look, text));
  }

  /** @param reason undefined for one of an earlier run */
  compaction(reason?: CompactionReason): CompactionBlock {
    return this.#add(new CompactionBlock(this.#look, reason));
  }

  tool(name: string): ToolCard {
    return this.#add(new ToolCard(this.#look, name));
  }

  /** What zot itself has to say. */
  text(text: string, role: Role, mark = ""): TextBlock {
    return this.#add(new TextBlock(this.#look, text, { role, mark }));
  }

  add(block: Block): void {
    this.#add(block);
  }

  remove(block: Block): void {
    this.#list.remove(block);
    this.#redraw();
  }

  clear(): void {
    this.#list.clear();
    this.scroll.scrollToEnd();
    this.#redraw();
  }

  /** Opens everything that folds, or closes it again. */
  toggleFolds(): void {
    this.#unfolded = !this.#unfolded;
    this.#list.unfold(this.#unfolded);
    this.#redraw();
  }

  /** Brings a block to the top of the view. */
  jumpTo(block: Block): void {
    this.#list.jumpTo(block, true);
    this.#redraw();
  }

  /** Shows a block from its beginning; the end is followed if that is in sight, too. */
  showFromStart(block: Block): void {
    this.#list.jumpTo(block, false);
    this.#redraw();
  }

  toEnd(): void {
    this.scroll.scrollToEnd();
    this.#redraw();
  }

  #add<B extends Block>(block: B): B {
    if (this.#unfolded) block.unfold(true);
    this.#list.add(block);
    this.#redraw();
    return block;
  }
}
