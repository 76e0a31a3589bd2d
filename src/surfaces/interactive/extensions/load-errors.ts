import type { ExtensionHost } from "../../../host/host.ts";
import type { Block } from "../transcript/block.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

/** What did not load, in red in the transcript until a clean reload or `/clear` (extension-host.md §7.1); the model never sees it. */
export class LoadErrors {
  readonly #host: Pick<ExtensionHost, "loadErrors">;
  readonly #view: TranscriptView;
  #shown: readonly Block[] = [];

  constructor(host: Pick<ExtensionHost, "loadErrors">, view: TranscriptView) {
    this.#host = host;
    this.#view = view;
  }

  /** Shows what is wrong now in place of what was shown before. */
  show(): void {
    for (const block of this.#shown) this.#view.remove(block);
    this.#shown = this.#host.loadErrors.map(({ candidate, text }) => {
      return this.#view.text(`extension load: ${candidate.dir}: ${text}`, "error", "✗ ");
    });
  }
}
