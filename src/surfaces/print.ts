import type { PromptEnd } from "../agent/agent.ts";
import type { AgentEvent } from "../agent/events.ts";
import type { Output } from "./output.ts";
import type { HeadlessRun } from "./run.ts";

/** `-p`: only the last answer of the model on stdout (extension-host.md §7.8). */
export class PrintRun implements HeadlessRun {
  readonly #output: Output;
  readonly #line: (text: string) => void;

  constructor(output: Output, line: (text: string) => void) {
    this.#output = output;
    this.#line = line;
  }

  event(event: AgentEvent): void {
    tellHuman(event, this.#line);
  }

  display(text: string): void {
    this.#output.write(withNewline(text));
  }

  end(end: PromptEnd): void {
    if (end.kind === "completed") this.#output.write(withNewline(end.text));
  }
}

/** `-p --stream`: the text as it comes. */
export class StreamRun implements HeadlessRun {
  readonly #output: Output;
  readonly #line: (text: string) => void;
  /** What this step has shown already; a repeated attempt says it again and must not show it twice. */
  #shown = "";
  #said = "";
  #atLineStart = true;

  constructor(output: Output, line: (text: string) => void) {
    this.#output = output;
    this.#line = line;
  }

  event(event: AgentEvent): void {
    tellHuman(event, this.#line);
    switch (event.type) {
      case "turn_start":
        this.#breakLine();
        this.#shown = "";
        break;
      case "assistant_start":
        this.#said = "";
        break;
      case "text_delta":
        this.#said += event.delta;
        this.#show();
        break;
      case "done":
        this.#breakLine();
        break;
    }
  }

  display(text: string): void {
    this.#output.write(withNewline(text));
  }

  end(): void {
    return;
  }

  /** Writes what the current attempt has said beyond what is on the screen; another wording starts a new line. */
  #show(): void {
    if (this.#shown.startsWith(this.#said)) return;
    if (!this.#said.startsWith(this.#shown)) {
      this.#breakLine();
      this.#shown = "";
    }
    const fresh = this.#said.slice(this.#shown.length);
    this.#shown = this.#said;
    this.#write(fresh);
  }

  #breakLine(): void {
    if (!this.#atLineStart) this.#write("\n");
  }

  #write(text: string): void {
    if (text === "") return;
    this.#output.write(text);
    this.#atLineStart = text.endsWith("\n");
  }
}

/** What a person who waits for an answer should know of a run, on stderr. */
export function tellHuman(event: AgentEvent, line: (text: string) => void): void {
  if (event.type === "retry_scheduled") {
    const seconds = (event.delayMs / 1000).toLocaleString("en", { maximumFractionDigits: 1 });
    line(`${event.reason}; retrying in ${seconds} s (attempt ${event.attempt} of ${event.maxAttempts})`);
  }
  if (event.type === "message_hidden") line(`message hidden by ${event.extension}: ${event.reason}`);
}

function withNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
