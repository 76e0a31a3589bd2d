import { ScrollView } from "@earendil-works/pi-tui/dist/components/scroll-view.js";
import type { Look } from "../theme/look.ts";
import type { TranscriptList } from "./transcript-list.ts";

/** Scrolls the transcript: follows its end, or keeps what is being read in its place, whatever happens above it. */
export class TranscriptScroll extends ScrollView {
  readonly #list: TranscriptList;

  constructor(list: TranscriptList, look: Look) {
    super(list, {
      follow: "end",
      primary: true,
      scrollbar: "auto",
      scrollbarTrackStyle: look.paintOf("faint"),
      scrollbarThumbStyle: look.paintOf("muted"),
    });
    this.#list = list;
  }

  /** The last column is the scrollbar's, also while there is none: it must not cover text, and nothing may reflow when it comes. */
  override getContentWidth(width: number): number {
    return Math.max(1, width - 1);
  }

  /** The library would make a new list of new rows, with a blank at the end of each. */
  override render(width: number): readonly string[] {
    return this.#list.render(this.getContentWidth(width));
  }

  /** Called with every frame, when the list is drawn and before the screen is. */
  override updateLayout(contentHeight: number, viewportHeight: number, requestRender: () => void): void {
    super.updateLayout(contentHeight, viewportHeight, requestRender);
    const aim = this.#list.takeAim();
    if (aim !== undefined) this.scrollTo(aim.row, { disableFollow: aim.isPinned });
  }
}
