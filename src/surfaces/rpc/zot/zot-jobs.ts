import { parseSlash } from "../../../host/contributions/commands.ts";
import { type ImageBlock, type TextBlock, textOf } from "../../../llm/messages.ts";
import { eventLine } from "../../event-json.ts";
import type { RpcEngine } from "../engine.ts";
import { encodeLine, escapeSeparators } from "../transport/encode-line.ts";

type Content = readonly (TextBlock | ImageBlock)[];

/** Prompts on the zot wire: one at a time, each with its events and a `done` behind them (extension-host.md §7.9). */
export class ZotJobs implements Disposable {
  readonly #engine: RpcEngine;
  readonly #write: (line: string) => void;
  readonly #listening: Disposable;
  /** Ends the slash command that runs. */
  #command: AbortController | undefined;
  #turnOver: (() => void) | undefined;

  constructor(engine: RpcEngine, write: (line: string) => void) {
    this.#engine = engine;
    this.#write = write;
    this.#listening = engine.agent.listen((event) => {
      // A prompt is done when its error, too, has been told.
      if (event.type === "done") this.#turnOver?.();
      else write(escapeSeparators(eventLine(event) ?? ""));
    });
  }

  /** Says `content` and tells how it went. A slash command of an extension runs instead. Never rejects. */
  async prompt(content: Content): Promise<void> {
    const text = await this.#throughCommand(content);
    if (text !== undefined) await this.#say(text);
    this.#write(encodeLine("done"));
  }

  /** Summarises the conversation; the summary is its own end. Never rejects. */
  async compact(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turnOver = resolve;
    const end = await this.#engine.agent.compact();
    if (end.kind === "failed") this.#fail(end.error.message);
    await promise;
  }

  /** Ends what runs; prompts that wait stay. */
  abort(): void {
    this.#command?.abort();
    void this.#engine.agent.abort();
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  async #say(content: Content): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turnOver = resolve;
    const end = await this.#engine.agent.prompt(content);
    if (end.kind === "failed") this.#fail(end.error.message);
    await promise;
  }

  /** What is left for the model, if anything. */
  async #throughCommand(content: Content): Promise<Content | undefined> {
    const { commands } = this.#engine.host;
    const slash = parseSlash(textOf({ content }));
    if (slash === undefined || !commands.has(slash.name)) return content;
    const abort = new AbortController();
    this.#command = abort;
    const outcome = await commands.invoke(slash.name, slash.args, abort.signal);
    this.#command = undefined;
    switch (outcome.kind) {
      case "prompt":
        return abort.signal.aborted ? undefined : [{ type: "text", text: outcome.text }];
      case "display":
        this.#write(encodeLine("ext_display", { extension: outcome.extension, text: outcome.text }));
        return undefined;
      case "insert":
      case "open_panel":
        if (this.#engine.host.outcomes.perform(outcome) === "done") return undefined;
        this.#fail(
          `/${slash.name} wants ${outcome.kind === "insert" ? "an editor" : "a panel"}, which this client has not`,
        );
        return undefined;
      case "error":
        this.#fail(outcome.text);
        return undefined;
      case "noop":
      case "cancelled":
        return undefined;
    }
  }

  #fail(message: string): void {
    this.#write(encodeLine("error", { message }));
  }
}
