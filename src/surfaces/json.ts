import type { PromptEnd } from "../agent/agent.ts";
import type { AgentEvent } from "../agent/events.ts";
import { encodeFrame } from "../wire/encode.ts";
import { eventLine } from "./event-json.ts";
import type { Output } from "./output.ts";
import { tellHuman } from "./print.ts";
import type { HeadlessRun } from "./run.ts";

/** `--json`: one event a line on stdout (extension-host.md §7.8). */
export class JsonRun implements HeadlessRun {
  readonly #output: Output;
  readonly #line: (text: string) => void;

  constructor(output: Output, line: (text: string) => void) {
    this.#output = output;
    this.#line = line;
  }

  event(event: AgentEvent): void {
    // Retries are events here; only what is no event goes to the human.
    if (event.type === "message_hidden") tellHuman(event, this.#line);
    this.#output.write(eventLine(event) ?? "");
  }

  /** Additive: this format had no way to run a command. */
  display(text: string, extension: string): void {
    this.#output.write(encodeFrame("ext_display", { extension, text }));
  }

  end(end: PromptEnd): void {
    if (end.kind === "failed") this.#output.write(encodeFrame("error", { message: end.error.message }));
  }
}
