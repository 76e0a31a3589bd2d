import type { TranscriptView } from "./transcript/transcript.ts";

/** What came together with a conversation is a line or two. */
const KEPT_MAX = 10;

/** Things that the user should know and that stop nothing, as lines in the transcript. */
export class WarningLines {
  readonly #view: TranscriptView;
  /** Since the transcript was last emptied for another conversation. */
  #lines: readonly string[] = [];

  constructor(view: TranscriptView) {
    this.#view = view;
  }

  say(text: string): void {
    this.#lines = [...this.#lines, text].slice(-KEPT_MAX);
    this.#view.text(text, "warn", "! ");
  }

  /** The transcript was emptied: what was said while the conversation in it now was being opened is shown again. */
  again(): void {
    const lines = this.#lines;
    this.#lines = [];
    for (const text of lines) this.#view.text(text, "warn", "! ");
  }
}
