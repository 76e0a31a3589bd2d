import { CHROME_LINE_MAX_CHARS, SUBMIT_MAX_CHARS, SUBMITS_BEFORE_SURFACE_MAX } from "../../wire/limits.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { AttachedSurface, Submitter, Support } from "../ports.ts";
import { clip } from "./clip.ts";
import { parseSlash } from "./commands.ts";
import type { Notes } from "./notes.ts";
import type { Registry } from "./registry.ts";

/** Built-ins that an extension may not type: they end zot, or take away what guards the user (§5.7 [REQ]). */
const REFUSED = new Set(["exit", "quit", "logout", "unjail", "login", "yolo"]);

type Delivery = (submitter: Submitter) => Support;

/** What extensions type (extension-host.md §5.7). */
export class Submits {
  readonly #attachment: Attachment;
  readonly #registry: Registry;
  readonly #notes: Notes;
  #waiting: readonly { readonly owner: Extension; readonly deliver: Delivery }[] = [];

  constructor(attachment: Attachment, registry: Registry, notes: Notes) {
    this.#attachment = attachment;
    this.#registry = registry;
    this.#notes = notes;
    attachment.add({ attached: (surface) => this.#replay(surface) });
  }

  /** A prompt, always literal (defect 33); a blank one is nothing. */
  prompt(extension: Extension, text: string): Support {
    const trimmed = text.trim();
    if (trimmed === "") return "done";
    return this.#deliver(extension, trimmed, (submitter) => {
      return submitter.submit({ ...ownerOf(extension), text: trimmed });
    });
  }

  /** A slash command, if it is one that extensions may run. */
  slash(extension: Extension, text: string): Support {
    const slash = text.trim().startsWith("/") ? parseSlash(text) : undefined;
    if (slash === undefined) {
      extension.diagnostics.add(`submit_slash refused (not a slash command): ${JSON.stringify(text.slice(0, 80))}`);
      return "done";
    }
    const { name, args } = slash;
    const shown = `/${clip(name, SHOWN_NAME_MAX_CHARS)}`;
    if (REFUSED.has(name.toLowerCase())) {
      this.#notes.report(extension, "warn", `may not run ${shown}; type it yourself if you want it`);
      return "done";
    }
    if (!this.#isKnown(name)) {
      extension.diagnostics.add(`submit_slash: there is no command ${shown}`);
      return "done";
    }
    return this.#deliver(extension, text, (submitter) => {
      return submitter.submitSlash({ ...ownerOf(extension), name, args });
    });
  }

  /** For the editor, at the cursor. */
  insert(extension: Extension, text: string): Support {
    return this.#deliver(extension, text, (submitter) => submitter.insert({ ...ownerOf(extension), text }));
  }

  /** For the editor, in place of what is there. */
  setEditorText(extension: Extension, text: string): Support {
    return this.#deliver(extension, text, (submitter) => submitter.setEditorText({ ...ownerOf(extension), text }));
  }

  setTitle(extension: Extension, title: string): Support {
    const text = clip(title, CHROME_LINE_MAX_CHARS);
    return this.#deliver(extension, text, (submitter) => submitter.setTitle({ ...ownerOf(extension), text }));
  }

  /** A generation ends: what it typed before there was anybody to read it goes with it. */
  remove(extension: Extension): void {
    this.#waiting = this.#waiting.filter(({ owner }) => owner !== extension);
  }

  #isKnown(name: string): boolean {
    if (/^skill:./i.test(name)) return true;
    return this.#registry.isBuiltinCommand(name) || this.#registry.command(name) !== undefined;
  }

  #deliver(owner: Extension, text: string, deliver: Delivery): Support {
    if (text.length > SUBMIT_MAX_CHARS) {
      owner.diagnostics.add(`a text of more than ${SUBMIT_MAX_CHARS} characters is refused`);
      return "done";
    }
    const { surface } = this.#attachment;
    if (surface !== undefined) return deliver(surface);
    if (this.#waiting.length >= SUBMITS_BEFORE_SURFACE_MAX) {
      owner.diagnostics.add(`more than ${SUBMITS_BEFORE_SURFACE_MAX} submissions before there is a surface; skipped`);
      return "done";
    }
    this.#waiting = [...this.#waiting, { owner, deliver }];
    return "done";
  }

  #replay(surface: AttachedSurface): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { deliver } of waiting) deliver(surface);
  }
}

const SHOWN_NAME_MAX_CHARS = 80;
