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

  /** Called with every frame, when the list is drawn and before the screen is. */
  override updateLayout(contentHeight: number, viewportHeight: number, requestRender: () => void): void {
    super.updateLayout(contentHeight, viewportHeight, requestRender);
    const aim = this.#list.takeAim();
    if (aim !== undefined) this.scrollTo(aim.row, { disableFollow: aim.isJump });
  }
}
