import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { Agent } from "../../agent/agent.ts";
import type { Notes } from "../../host/contributions/notes.ts";
import { editExternally } from "./editor/external-editor.ts";
import type { EditorKeys, PromptEditor } from "./editor/prompt-editor.ts";
import type { Prompts } from "./prompts.ts";
import type { Foreground } from "./screen/foreground.ts";
import type { Stage } from "./screen/stage.ts";
import type { TranscriptView } from "./transcript/transcript.ts";

export interface ControlsParts {
  readonly agent: Agent;
  readonly notes: Notes;
  readonly stage: Stage;
  readonly view: TranscriptView;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompts: () => Prompts;
  readonly editor: PromptEditor;
  readonly foreground: () => Foreground;
  /** Ends what runs besides the agent. */
  cancelOthers(): void;
  /** What was entered, for the next run. */
  remember(text: string): void;
  fail(text: string): void;
  leave(): void;
}

/** Two presses of Ctrl-C within this time leave. */
const TWICE_MS = 2_000;

/** What keys mean that belong to no part of the screen, and what the editor leaves to the rest. */
export class Controls implements EditorKeys {
  readonly #parts: ControlsParts;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
  }

  /** A key that means the same wherever the focus is; true when it was one. */
  globalKey(data: string): boolean {
    const { foreground, stage, view } = this.#parts;
    if (foreground().swallows(data)) return true;
    if (matchesKey(data, "ctrl+z")) void stage.suspend();
    else if (matchesKey(data, "ctrl+o")) view.toggleFolds();
    else if (matchesKey(data, "ctrl+g") && foreground().kindOnTop === "editor") void this.#editPrompt();
    // A panel takes all keys but those that must always work (extension-host.md §5.1).
    else if (matchesKey(data, "ctrl+d") && foreground().kindOnTop === "panel") this.#leaveIfEmpty();
    else return false;
    return true;
  }

  submit(text: string): void {
    const { remember, prompts, editor } = this.#parts;
    editor.addToHistory(text);
    remember(text);
    prompts().enter(text);
  }

  isUnfinished(text: string): boolean {
    return this.#parts.prompts().isUnfinished(text);
  }

  /** Notes first, then the turn, then a shell line (extension-host.md §5.4). */
  escape(): void {
    const { agent, notes, stage, cancelOthers } = this.#parts;
    if (notes.list.length > 0) notes.dismiss();
    else if (agent.busy) void this.#cancel();
    else if (agent.held && agent.queue.waiting.length > 0) this.#takeAllBack();
    else cancelOthers();
    stage.redraw();
  }

  interrupt(): void {
    const { agent, stage, cancelOthers, leave } = this.#parts;
    const now = performance.now();
    if (now - this.#interruptedAt < TWICE_MS) {
      leave();
      return;
    }
    this.#interruptedAt = now;
    if (agent.busy) void this.#cancel();
    else cancelOthers();
    stage.tui.flash("ctrl+c once more leaves", TWICE_MS);
  }

  endOfInput(): void {
    this.#parts.leave();
  }

  /** Goes on with what waits behind a turn that failed. */
  submitNothing(): void {
    void this.#parts.prompts().resume();
  }

  takeBack(): boolean {
    const { prompts, editor } = this.#parts;
    const text = prompts().takeBackLast();
    if (text === undefined) return false;
    editor.setText(text);
    return true;
  }

  /** The text as the user left it in an editor of his own; the old one when that did not work. */
  editExternally = async (text: string): Promise<string> => {
    return (await this.#edited(text)) ?? text;
  };

  #leaveIfEmpty(): void {
    if (this.#parts.editor.isEmpty) this.#parts.leave();
  }

  async #editPrompt(): Promise<void> {
    const { stage, editor } = this.#parts;
    const text = await this.#edited(editor.getExpandedText());
    if (text !== undefined) editor.setText(text);
    stage.redraw();
  }

  /** Undefined when it did not work, which is told. */
  async #edited(text: string): Promise<string | undefined> {
    const { stage, env, fail } = this.#parts;
    const edited = await stage.lend((over) => editExternally(text, env, over));
    if (edited !== undefined && "text" in edited) return edited.text;
    fail(edited?.fault ?? "the terminal is too busy for another program; try again");
    return undefined;
  }

  async #cancel(): Promise<void> {
    const { agent, view, stage } = this.#parts;
    await agent.abort();
    view.text("cancelled", "muted");
    // What waited behind the turn was written for it: the user decides what becomes of it.
    this.#takeAllBack();
    stage.redraw();
  }

  #takeAllBack(): void {
    const { prompts, editor } = this.#parts;
    const waiting: string[] = [];
    for (let text = prompts().takeBackLast(); text !== undefined; text = prompts().takeBackLast()) {
      waiting.unshift(text);
    }
    if (waiting.length > 0) editor.setText([...waiting, editor.getExpandedText()].join("\n").trimEnd());
  }
}
