import { NOTE_MAX_CHARS, NOTES_BEFORE_SURFACE_MAX, NOTES_MAX } from "../../wire/limits.ts";
import type { Notify } from "../../wire/schemas.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { AttachedSurface, Note, Support } from "../ports.ts";
import { clip } from "./clip.ts";
import { levelOf } from "./level.ts";

interface Kept {
  readonly note: Note;
  readonly owner: Extension;
  /** The host's own word about an extension is not the extension's to withdraw. */
  readonly byHost: boolean;
}

/** Notes of extensions, kept with their owner until the user moves on (extension-host.md §5.4, defects 7, 16, 32). */
export class Notes {
  readonly #attachment: Attachment;
  #kept: readonly Kept[] = [];

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  /** The newest ones, oldest first. */
  get list(): readonly Note[] {
    return this.#kept.map(({ note }) => note);
  }

  notify(extension: Extension, { level, message }: Notify): Support {
    return this.#add(extension, level, message, false);
  }

  /** What a command wants displayed; it belongs to the extension like any note. */
  display(extension: Extension, text: string): Support {
    return this.#add(extension, "info", text, false);
  }

  /** The host's own word about an extension. */
  report(extension: Extension, level: "warn" | "error", message: string): void {
    this.#add(extension, level, message, true);
  }

  /** An extension withdraws what it said itself, in this generation. */
  clear(extension: Extension): void {
    this.remove(extension);
    // A surface knows notes by name: those of a younger generation have to stay.
    if (!this.has(extension.name)) this.#attachment.surface?.clearNotes(extension.name);
  }

  /** The user moved on: a prompt, Esc, `/clear`, another session (§5.4). The surface knows, since it says so. */
  dismiss(): void {
    this.#kept = [];
  }

  /** A generation has ended; what the host said about it stays. */
  remove(extension: Extension): void {
    this.#kept = this.#kept.filter(({ owner, byHost }) => owner !== extension || byHost);
  }

  /** Whether a generation of that name still has something to say. */
  has(name: string): boolean {
    return this.#kept.some(({ owner, byHost }) => owner.name === name && !byHost);
  }

  /** Shows what is kept to a surface that has just come. */
  replay(surface: AttachedSurface): void {
    for (const { note } of this.#kept) surface.note(note);
  }

  #add(owner: Extension, level: string, message: string, byHost: boolean): Support {
    if (message.trim() === "") return "done";
    const note: Note = {
      ...ownerOf(owner),
      level: levelOf(level),
      message: clip(message, NOTE_MAX_CHARS),
    };
    const { surface } = this.#attachment;
    const limit = surface === undefined ? NOTES_BEFORE_SURFACE_MAX : NOTES_MAX;
    this.#kept = [...this.#kept, { note, owner, byHost }].slice(-limit);
    return surface?.note(note) ?? "done";
  }
}
