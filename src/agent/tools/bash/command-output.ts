import { failureReason } from "../file-error.ts";
import { BASH_WINDOW } from "../limits.ts";
import { OutputWindow } from "./output-window.ts";
import { Spool } from "./spool.ts";

/** What is to be said of a command's output: the text for the model, and where the rest is (`""` when there is none). */
export interface OutputReport {
  readonly text: string;
  readonly note: string;
}

/**
 * Collects the output of one command: decoded for the model and for progress, head and tail in memory, and all of
 * the raw bytes in a file once they no longer fit.
 */
export class CommandOutput {
  readonly #progress: (text: string) => void;
  // A byte order mark is output like any other.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #window = new OutputWindow(BASH_WINDOW);
  /** The raw bytes until the window overflows; no longer than the window, as no byte decodes to less than one. */
  #early: Uint8Array[] = [];
  #spool: Spool | null = null;
  #spoolFailure: string | null = null;
  #closed = false;

  constructor(progress: (text: string) => void) {
    this.#progress = progress;
  }

  async push(chunk: Uint8Array): Promise<void> {
    // A drain that outlived its deadline may still deliver.
    if (this.#closed) return;
    this.#show(this.#decoder.decode(chunk, { stream: true }));
    await this.#keep(chunk);
  }

  /** Ends the collection. */
  async finish(): Promise<OutputReport> {
    this.#closed = true;
    this.#show(this.#decoder.decode());
    await this.#keep(new Uint8Array());
    await this.#spool?.[Symbol.asyncDispose]();
    const view = this.#window.view();
    if (view.kind === "whole") return { text: view.text, note: "" };
    const marker = `... [truncated: ${view.omittedLines} lines, ${view.omittedBytes} bytes left out]`;
    return { text: `${endLine(view.head)}${marker}\n${view.tail}`, note: this.#note() };
  }

  #show(decoded: string): void {
    if (decoded === "") return;
    // NUL ends strings in terminals and in other people's code.
    const text = decoded.replaceAll("\0", "\ufffd");
    this.#window.push(text);
    this.#progress(text);
  }

  async #keep(chunk: Uint8Array): Promise<void> {
    if (this.#spoolFailure !== null) return;
    if (this.#spool !== null) return this.#spool.write(chunk);
    this.#early.push(chunk);
    if (!this.#window.overflows) return;
    const early = Buffer.concat(this.#early);
    this.#early = [];
    try {
      this.#spool = await Spool.create();
    } catch (error) {
      this.#spoolFailure = failureReason(error);
      return;
    }
    await this.#spool.write(early);
  }

  #note(): string {
    if (this.#spool === null) return ` (full output could not be kept: ${this.#spoolFailure ?? "no file"})`;
    const problem = this.#spool.problem === null ? "" : `, ${this.#spool.problem}`;
    return ` (full output: ${this.#spool.path}${problem})`;
  }
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
