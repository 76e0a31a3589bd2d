import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import type { Region } from "./region.ts";

/** Something that takes the keys for a while. */
export interface Modal extends Region {
  handleInput(data: string): void;
}

/** What something in front is: opened by the user himself, asked by somebody else, or a panel in a place of its own. */
type Kind = "own" | "question" | "panel";

interface Entry {
  readonly modal: Modal;
  readonly kind: Kind;
  /** It has had the keys: the user knows that it is there. */
  known: boolean;
}

/**
 * What comes unasked takes keys when there was none for so long: nobody reads it sooner, and somebody who types without looking
 * goes on typing.
 */
const PAUSE_MS = 400;
/** A panel that comes this soon behind an Enter is what the Enter asked for. */
const REPLY_MS = 5_000;

/** Has the keys that were meant for a question which is not there any more. */
const NOBODY: Region = {
  wish: () => ({ min: 0, want: 0 }),
  fit: () => undefined,
  render: () => [],
  invalidate: () => undefined,
};

/**
 * Who has the keys: the editor, or what was opened last over it. What the user opened himself lies over everything.
 * Questions come one at a time, in the order in which they were asked, so that none takes keys that were meant for another.
 *
 * A question, or a panel that nobody called for, is shown at once and has the keys only when no key was pressed for a moment.
 * Until then they go where they went before, so that nothing which is being typed is lost or answers what was not read. Two kinds of
 * keys are different: Enter is dropped, since a prompt that is sent by mistake cannot be taken back and one that is not sent can be
 * sent later; Esc and Ctrl-C turn down what has come, which is always safe and must never be held up.
 */
export class Foreground {
  readonly #editor: Region;
  readonly #focus: (component: Region) => void;
  #stack: readonly Entry[] = [];
  #waiting: readonly Entry[] = [];
  /** Has the keys as long as what is on top waits for a pause; undefined when that has them itself. */
  #keeper: Region | undefined;
  #pause: NodeJS.Timeout | undefined;
  /** When Enter was pressed, if it was the last key. */
  #sentAt = Number.NEGATIVE_INFINITY;

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
    return this.#stack.find(({ modal }) => modal === this.#holder)?.kind ?? "editor";
  }

  /** Something the user asked for himself, such as a picker. */
  open(modal: Modal): void {
    this.#show([...this.#stack, { modal, kind: "own", known: true }]);
  }

  /** A panel, which is shown in its own place. */
  openPanel(modal: Modal): void {
    if (this.#stack.some((entry) => entry.modal === modal)) return;
    const known = performance.now() - this.#sentAt < REPLY_MS;
    this.#show(this.#below({ modal, kind: "panel", known }));
  }

  /** A question that somebody else asks: it waits until no other one is open. */
  ask(modal: Modal): void {
    const entry: Entry = { modal, kind: "question", known: false };
    if (this.#hasQuestion(this.#stack)) this.#waiting = [...this.#waiting, entry];
    else this.#show(this.#below(entry));
  }

  close(modal: Modal): void {
    this.#waiting = this.#waiting.filter((entry) => entry.modal !== modal);
    const left = this.#stack.filter((entry) => entry.modal !== modal);
    if (left.length === this.#stack.length) return;
    const [next, ...others] = this.#waiting;
    if (next === undefined || this.#hasQuestion(left)) {
      this.#show(left);
      return;
    }
    this.#waiting = others;
    this.#show(this.#below(next, left));
  }

  /** To be asked about every key before anything else sees it; true when it has to be dropped. */
  swallows(data: string): boolean {
    const sends = isEnter(data);
    if (this.#keeper === undefined) {
      this.#sentAt = sends ? performance.now() : Number.NEGATIVE_INFINITY;
      return false;
    }
    if (getKeybindings().matches(data, "tui.select.cancel")) {
      this.#handOver();
      return false;
    }
    this.#awaitPause();
    return sends;
  }

  get #holder(): Region {
    return this.#keeper ?? this.#stack.at(-1)?.modal ?? this.#editor;
  }

  #hasQuestion(stack: readonly Entry[]): boolean {
    return stack.some(({ kind }) => kind === "question");
  }

  /** The stack with `entry` on top of everything that the user did not open himself. */
  #below(entry: Entry, stack = this.#stack): readonly Entry[] {
    const at = stack.findLastIndex(({ kind }) => kind !== "own") + 1;
    return [...stack.slice(0, at), entry, ...stack.slice(at)];
  }

  #show(stack: readonly Entry[]): void {
    const holder = this.#holder;
    const before = this.#stack;
    this.#stack = stack;
    const top = stack.at(-1);
    if (top === undefined || top.known) {
      this.#handOver();
      return;
    }
    this.#keeper = this.#heirOf(holder, before);
    if (this.#keeper !== holder) this.#focus(this.#keeper);
    if (top !== before.at(-1)) this.#awaitPause();
  }

  /** Who gets the keys of `holder`: himself as long as he is there. */
  #heirOf(holder: Region, before: readonly Entry[]): Region {
    const isThere = this.#stack.some(({ modal }) => modal === holder);
    const gone = isThere ? undefined : before.find(({ modal }) => modal === holder);
    if (gone === undefined) return holder;
    if (gone.kind === "question") return NOBODY;
    return this.#stack.findLast(({ kind, known }) => kind === "panel" && known)?.modal ?? this.#editor;
  }

  #awaitPause(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#handOver(), PAUSE_MS);
    // Nothing to stay alive for.
    this.#pause.unref();
  }

  #handOver(): void {
    clearTimeout(this.#pause);
    this.#keeper = undefined;
    const top = this.#stack.at(-1);
    if (top !== undefined) top.known = true;
    this.#focus(top?.modal ?? this.#editor);
  }
}

function isEnter(data: string): boolean {
  const keys = getKeybindings();
  // Without a keyboard protocol Ctrl-J, which is a new line, looks like an Enter too.
  return keys.matches(data, "tui.input.submit") && !keys.matches(data, "tui.input.newLine");
}
