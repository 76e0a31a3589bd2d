import type { Region } from "./region.ts";

/** Something that takes the keys for a while. */
export interface Modal extends Region {
  handleInput(data: string): void;
  /** Whether this key would answer it, so that it must be meant for it; absent means never. */
  decides?(data: string): boolean;
}

interface Entry {
  readonly modal: Modal;
  /** Questions of others wait for each other, so that none takes the keys that were meant for another. */
  readonly isQuestion: boolean;
  /** A panel has a place of its own; everything else stands where the editor is. */
  readonly hasOwnPlace: boolean;
}

/** A key pressed this shortly before a question opened was not meant for it, and neither is one that follows at once. */
const SURPRISE_MS = 400;

/**
 * Who has the keys: the editor, or what was opened last over it. Questions come one at a time, in the order in which they
 * were asked; what the user opens himself lies over everything.
 */
export class Foreground {
  readonly #editor: Region;
  readonly #focus: (component: Region) => void;
  #stack: Entry[] = [];
  #waiting: Entry[] = [];
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #deafUntil = 0;

  /** @param focus gives the keys to a component */
  constructor(editor: Region, focus: (component: Region) => void) {
    this.#editor = editor;
    this.#focus = focus;
  }

  /** What has the keys. */
  get top(): Region {
    return this.#stack.at(-1)?.modal ?? this.#editor;
  }

  /** What stands in the editor's place: the topmost modal without a place of its own. */
  get inEditorPlace(): Region {
    return this.#stack.findLast((entry) => !entry.hasOwnPlace)?.modal ?? this.#editor;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get isEditorOnTop(): boolean {
    return this.#stack.length === 0;
  }

  isOnTop(modal: Modal): boolean {
    return this.#stack.at(-1)?.modal === modal;
  }

  /** Something the user asked for himself, such as a picker. */
  open(modal: Modal): void {
    this.#push({ modal, isQuestion: false, hasOwnPlace: false });
  }

  /** A panel, which is shown in its own place. */
  openPanel(modal: Modal): void {
    if (this.#stack.some((entry) => entry.modal === modal)) return;
    this.#push({ modal, isQuestion: false, hasOwnPlace: true });
  }

  /** A question that somebody else asks: it waits until no other one is open. */
  ask(modal: Modal): void {
    const entry: Entry = { modal, isQuestion: true, hasOwnPlace: false };
    if (this.#stack.some(({ isQuestion }) => isQuestion)) this.#waiting.push(entry);
    else this.#push(entry);
  }

  close(modal: Modal): void {
    this.#waiting = this.#waiting.filter((entry) => entry.modal !== modal);
    const before = this.#stack.length;
    this.#stack = this.#stack.filter((entry) => entry.modal !== modal);
    if (this.#stack.length === before) return;
    const next = this.#stack.some(({ isQuestion }) => isQuestion) ? undefined : this.#waiting.shift();
    if (next === undefined) this.#focus(this.top);
    else this.#push(next);
  }

  /** True when a key has to be dropped, because it was typed for what stood there a moment ago and would answer a question. */
  swallows(data: string): boolean {
    const now = performance.now();
    this.#lastKeyAt = now;
    return now < this.#deafUntil && this.#stack.at(-1)?.modal.decides?.(data) === true;
  }

  #push(entry: Entry): void {
    const now = performance.now();
    if (entry.isQuestion && now - this.#lastKeyAt < SURPRISE_MS) this.#deafUntil = now + SURPRISE_MS;
    this.#stack.push(entry);
    this.#focus(entry.modal);
  }
}
