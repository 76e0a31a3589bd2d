import { NOTE_MAX_CHARS } from "../../wire/limits.ts";
import type { Notify } from "../../wire/schemas.ts";
import type { Extension } from "../extension.ts";
import type { Surface } from "../ports.ts";

/** Notes of extensions on their way to the surface (extension-host.md §5.4). */
export class Notes {
  readonly #surface: Surface;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  notify(extension: Extension, { level, message }: Notify): void {
    if (message.trim() === "") return;
    const text = message.length > NOTE_MAX_CHARS ? `${message.slice(0, NOTE_MAX_CHARS)}…` : message;
    this.#surface.note({ extension: extension.name, level: level === "" ? "info" : level, message: text });
  }

  clear(extension: Extension): void {
    this.#surface.clearNotes(extension.name);
  }

  /** The host's own word about an extension. */
  report(extension: Extension, level: "warn" | "error", message: string): void {
    this.#surface.note({ extension: extension.name, level, message });
  }
}
