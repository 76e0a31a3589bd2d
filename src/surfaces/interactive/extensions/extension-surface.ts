import type { Dialog, DialogAnswer } from "../../../host/dialog.ts";
import type { Alert, AttachedSurface, Link, Panel, SlashSubmission, Submission, Support } from "../../../host/ports.ts";

/** What the rest of the surface does when extensions want something. */
export interface ExtensionWishes {
  redraw(): void;
  bell(): void;
  panelOpened(panel: Panel): void;
  panelClosed(): void;
  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer>;
  link(link: Link): void;
  prompt(text: string): void;
  slash(name: string, args: string): void;
  insert(text: string): void;
  setEditorText(text: string): void;
  setTitle(title: string): void;
}

/**
 * The host's surface on a screen. Notes, statuses, widgets and the panel are the host's to keep; here a call is the sign that
 * the next frame looks different, so a thousand calls within one frame cost one frame (case: render flood).
 */
export class ExtensionSurface implements AttachedSurface {
  readonly interactive = true;
  readonly #wishes: ExtensionWishes;

  constructor(wishes: ExtensionWishes) {
    this.#wishes = wishes;
  }

  note = (): Support => this.#changed();
  clearNotes = (): Support => this.#changed();
  status = (): Support => this.#changed();
  clearStatus = (): Support => this.#changed();
  widget = (): Support => this.#changed();
  clearWidget = (): Support => this.#changed();
  clearChrome = (): Support => this.#changed();
  renderPanel = (): Support => this.#changed();

  alert({ kind }: Alert): Support {
    if (kind === "bell") this.#wishes.bell();
    return "done";
  }

  openPanel(panel: Panel): Support {
    this.#wishes.panelOpened(panel);
    return "done";
  }

  closePanel(): Support {
    this.#wishes.panelClosed();
    return "done";
  }

  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer> {
    return this.#wishes.ask(dialog, signal);
  }

  openUrl(link: Link): Support {
    this.#wishes.link(link);
    return "done";
  }

  submit({ text }: Submission): Support {
    this.#wishes.prompt(text);
    return "done";
  }

  submitSlash({ name, args }: SlashSubmission): Support {
    this.#wishes.slash(name, args);
    return "done";
  }

  insert({ text }: Submission): Support {
    this.#wishes.insert(text);
    return "done";
  }

  setEditorText({ text }: Submission): Support {
    this.#wishes.setEditorText(text);
    return "done";
  }

  setTitle({ text }: Submission): Support {
    this.#wishes.setTitle(text);
    return "done";
  }

  #changed(): Support {
    this.#wishes.redraw();
    return "done";
  }
}
