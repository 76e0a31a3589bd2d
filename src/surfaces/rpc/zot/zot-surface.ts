import type { Dialog, DialogAnswer } from "../../../host/dialog.ts";
import type { Alert, AttachedSurface, Link, Note, Panel, Status, Support, Widget } from "../../../host/ports.ts";
import { NoEditor } from "../../no-editor.ts";
import type { ClientDialogs } from "../client-dialogs.ts";
import { type ExtFrame, extFrames } from "../ext-frames.ts";

/** What a client said in `hello.features` that it can do besides reading; nothing, for clients of the older protocol. */
export interface ZotFeatures {
  readonly panels: boolean;
  readonly ui: boolean;
}

/** Extensions on the zot wire (extension-host.md §3.4): what they show goes out, what they type has no place here. */
export class ZotSurface extends NoEditor implements AttachedSurface {
  features: ZotFeatures = { panels: false, ui: false };
  readonly #send: (type: string, fields: ExtFrame["fields"]) => void;
  readonly #dialogs: ClientDialogs;

  /** @param send takes one object, at any time */
  constructor(send: (type: string, fields: ExtFrame["fields"]) => void, dialogs: ClientDialogs) {
    super();
    this.#send = send;
    this.#dialogs = dialogs;
  }

  /** Tools that need a human run only where keys can come back. */
  get interactive(): boolean {
    return this.features.panels;
  }

  note(note: Note): Support {
    return this.#say(extFrames.notify(note));
  }

  clearNotes(extension: string): Support {
    return this.#say(extFrames.clearNotes(extension));
  }

  display(extension: string, text: string): Support {
    return this.#say(extFrames.display(extension, text));
  }

  status(status: Status): Support {
    return this.#say(extFrames.status(status));
  }

  clearStatus(extension: string, key: string): Support {
    return this.#say(extFrames.clearStatus(extension, key));
  }

  widget(widget: Widget): Support {
    return this.#say(extFrames.widget(widget));
  }

  clearWidget(extension: string, id: string): Support {
    return this.#say(extFrames.clearWidget(extension, id));
  }

  clearChrome(extension: string): Support {
    return this.#say(extFrames.clearChrome(extension));
  }

  alert(alert: Alert): Support {
    return this.#say(extFrames.alert(alert));
  }

  openPanel(panel: Panel): Support {
    return this.#panel("open", panel);
  }

  renderPanel(panel: Panel): Support {
    return this.#panel("render", panel);
  }

  closePanel(panel: Panel): Support {
    return this.#panel("close", panel);
  }

  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer> | "unsupported" {
    if (!this.features.ui) return "unsupported";
    return this.#dialogs.ask(dialog.question, { signal, timeoutMs: dialog.timeoutMs, owner: dialog.extension });
  }

  openUrl({ url, launchUrl, instructions }: Link): Support {
    if (!this.features.ui) return "unsupported";
    this.#dialogs.tell("open_url", { url, launchUrl, instructions: instructions === "" ? undefined : instructions });
    return "done";
  }

  #panel(event: "open" | "render" | "close", panel: Panel): Support {
    return this.features.panels ? this.#say(extFrames.panel(event, panel)) : "unsupported";
  }

  #say({ type, fields }: ExtFrame): Support {
    this.#send(type, fields);
    return "done";
  }
}
