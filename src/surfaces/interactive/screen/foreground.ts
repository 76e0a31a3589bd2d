import type { Region } from "./region.ts";

/** Something that takes the keys for a while. */
export interface Modal extends Region {
  handleInput(data: string): void;
  /** Whether this key would answer it, so that it must be meant for it; absent means never. */
  decides?(data: string): boolean;
}

/** What something in front is: opened by the user himself, asked by somebody else, or a panel in a place of its own. */
type Kind = "own" | "question" | "panel";

interface Entry {
  readonly modal: Modal;
  readonly kind: Kind;
}

/** A key pressed this shortly after a question came to the front was most likely meant for what stood there before. */
const SURPRISE_MS = 400;

/**
 * Who has the keys: the editor, or what was opened last over it. What the user opened himself lies over everything.
 * Questions come one at a time, in the order in which they were asked, so that none takes keys that were meant for another.
 */
export class Foreground {
  readonly #editor: Region;
  readonly #focus: (component: Region) => void;
  #stack: readonly Entry[] = [];
  #waiting: readonly Entry[] = [];
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #deafUntil = 0;

  /** @param focus gives the keys to a component */
  constructor(editor: Region, focus: (component: Region) => void) {
    this.#editor = editor;
    this.#focus = focus;
  }

  /** What stands in the editor's place: the topmost that has no place of its own. */
  get inEditorPlace(): Region {
    return this.#stack.findLast(({ kind }) => kind !== "panel")?.modal ?? this.#editor;
  }

  /** What has the keys. */
  get kindOnTop(): Kind | "editor" {
    return this.#stack.at(-1)?.kind ?? "editor";
  }

  /** Something the user asked for himself, such as a picker. */
  open(modal: Modal): void {
    this.#show([...this.#stack, { modal, kind: "own" }]);
  }

  /** A panel, which is shown in its own place. */
  openPanel(modal: Modal): void {
    if (!this.#stack.some((entry) => entry.modal === modal)) this.#show(this.#below({ modal, kind: "panel" }));
  }

  /** A question that somebody else asks: it waits until no other one is open. */
  ask(modal: Modal): void {
    const entry: Entry = { modal, kind: "question" };
    if (this.#hasQuestion(this.#stack)) this.#waiting = [...this.#waiting, entry];
    else this.#show(this.#below(entry));
  }

  close(modal: Modal): void {
    this.#waiting = this.#waiting.filter((entry) => entry.modal !== modal);
    const left = this.#stack.filter((entry) => entry.modal !== modal);
    if (left.length === this.#stack.length) return;
    this.#stack = left;
    const [next, ...others] = this.#waiting;
    if (next === undefined || this.#hasQuestion(left)) {
      this.#show(left);
      return;
    }
    this.#waiting = others;
    this.#show(this.#below(next));
  }

  /** True when a key has to be dropped, because it was typed for what stood there a moment ago and would answer a question. */
  swallows(data: string): boolean {
    const now = performance.now();
    this.#lastKeyAt = now;
    return now < this.#deafUntil && this.#stack.at(-1)?.modal.decides?.(data) === true;
  }

  #hasQuestion(stack: readonly Entry[]): boolean {
    return stack.some(({ kind }) => kind === "question");
  }

  /** The stack with `entry` on top of everything that the user did not open himself. */
  #below(entry: Entry): readonly Entry[] {
    const at = this.#stack.findLastIndex(({ kind }) => kind !== "own") + 1;
    return [...this.#stack.slice(0, at), entry, ...this.#stack.slice(at)];
  }

  #show(stack: readonly Entry[]): void {
    const before = this.#stack.at(-1);
    this.#stack = stack;
    const top = stack.at(-1);
    const now = performance.now();
    const isSurprise = top?.kind === "question" && top !== before && now - this.#lastKeyAt < SURPRISE_MS;
    if (isSurprise) this.#deafUntil = now + SURPRISE_MS;
    this.#focus(top?.modal ?? this.#editor);
  }
}
