import type { Component } from "@earendil-works/pi-tui/dist/tui.js";
import type { Wish } from "./allot.ts";

/** A part of the screen below the transcript, as high as the shell lets it be. */
export interface Region extends Component {
  /** What it would like on a screen of this size (cells). Asked before every frame. */
  wish(width: number, height: number): Wish;
  /** The rows that it has got; `render` may give more, but only so many are shown. */
  fit(rows: number): void;
}
