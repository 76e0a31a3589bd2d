import type { ExtensionHost, LoadError } from "../../../host/host.ts";
import { logPath } from "../../../host/launch/log.ts";
import { fileEnd } from "../text/file-end.ts";
import type { Block } from "../transcript/block.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

/** What a program says when it dies is at the end of its log: a message and a few lines of where. */
const LAST_WORDS_BYTES = 4 * 1024;
const LAST_WORDS_LINES = 8;

/** What did not load, in red in the transcript until a clean reload or `/clear` (extension-host.md §7.1); the model never sees it. */
export class LoadErrors {
  readonly #host: Pick<ExtensionHost, "loadErrors">;
  readonly #view: TranscriptView;
  readonly #home: string;
  #shown: readonly Block[] = [];
  #told: readonly LoadError[] = [];

  /** @param home where the logs are, absolute */
  constructor(host: Pick<ExtensionHost, "loadErrors">, view: TranscriptView, home: string) {
    this.#host = host;
    this.#view = view;
    this.#home = home;
  }

  /** Shows what is wrong now in place of what was shown before. */
  show(): void {
    for (const block of this.#shown) this.#view.remove(block);
    this.#told = [...this.#host.loadErrors];
    this.#shown = this.#told.map((error) => this.#view.text(this.#text(error), "error", "✗ "));
  }

  /** Shows it anew if something has come; for as long as extensions start. */
  update(): void {
    const { loadErrors } = this.#host;
    const isSame = loadErrors.length === this.#told.length && loadErrors.every((error) => this.#told.includes(error));
    if (!isSame) this.show();
  }

  #text({ candidate, text }: LoadError): string {
    const line = `extension load: ${candidate.dir}: ${text}`;
    const words = text.includes("stderr log") ? lastWords(logPath(this.#home, candidate.name)) : [];
    return [line, ...words.map((word) => `  ${word}`)].join("\n");
  }
}

/** What the last process that wrote to this log said itself. */
function lastWords(path: string): string[] {
  try {
    const { text } = fileEnd(path, LAST_WORDS_BYTES);
    const own = text.slice(text.lastIndexOf("[zot] starting ")).split("\n").slice(1);
    return own.filter((line) => line.trim() !== "" && !line.startsWith("[zot] ")).slice(-LAST_WORDS_LINES);
  } catch {
    // Its name is in the line above, for whoever wants to look.
    return [];
  }
}
