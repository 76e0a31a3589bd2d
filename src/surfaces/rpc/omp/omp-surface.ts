import type { Dialog, DialogAnswer } from "../../../host/dialog.ts";
import type {
  Alert,
  AttachedSurface,
  Link,
  Note,
  Panel,
  SlashSubmission,
  Status,
  Submission,
  Support,
  Widget,
} from "../../../host/ports.ts";
import type { ClientDialogs } from "../client-dialogs.ts";
import { type ExtFrame, extFrames } from "../ext-frames.ts";

/** Where the events of the line protocol go, as far as the client wants them. */
export interface ExtEvents {
  emit(type: string, fields: Readonly<Record<string, unknown>>): unknown;
}

export interface OmpSurfaceOptions {
  readonly events: ExtEvents;
  readonly dialogs: ClientDialogs;
  /** Says what an extension submits. */
  readonly submit: (text: string) => Support;
  /** Runs `/name args` for an extension. */
  readonly submitSlash: (text: string) => Support;
  /** Told of an extension that a human is told an error of: it may have ended. */
  readonly failed: (extension: string) => void;
  /** The client shows the title of its window (`PI_RPC_EMIT_TITLE`). */
  readonly showsTitle: boolean;
}

const NOTIFY_TYPES: Readonly<Record<string, "info" | "warning" | "error">> = {
  info: "info",
  success: "info",
  warn: "warning",
  error: "error",
};

/**
 * Extensions on the omp wire (rpc-wire.md §3.3): what they show and ask becomes `extension_ui_request`, and besides an
 * event of the line protocol, which tells more: owner, level, title.
 */
export class OmpSurface implements AttachedSurface {
  /** The client asked for panels, and sends keys back. */
  showsPanels = false;
  readonly #options: OmpSurfaceOptions;
  /** Keys of what is shown, by extension, so that it can be taken away with its owner. */
  readonly #statuses = new Map<string, Set<string>>();
  readonly #widgets = new Map<string, Set<string>>();

  constructor(options: OmpSurfaceOptions) {
    this.#options = options;
  }

  /** Tools that need a human run only where keys can come back. */
  get interactive(): boolean {
    return this.showsPanels;
  }

  note(note: Note): Support {
    this.#ui("notify", { message: note.message, notifyType: NOTIFY_TYPES[note.level] });
    if (note.level === "error") this.#options.failed(note.extension);
    return this.#event(extFrames.notify(note));
  }

  clearNotes(extension: string): Support {
    return this.#event(extFrames.clearNotes(extension));
  }

  /** The text of a command that wants nothing but to be read. */
  display(extension: string, text: string): Support {
    this.#ui("notify", { message: text, notifyType: "info" });
    return this.#event(extFrames.display(extension, text));
  }

  status(status: Status): Support {
    const { extension, key, text } = status;
    keysOf(this.#statuses, extension).add(key);
    this.#ui("setStatus", { statusKey: ownKey(extension, key), statusText: text });
    return this.#event(extFrames.status(status));
  }

  clearStatus(extension: string, key: string): Support {
    this.#dropStatus(extension, key);
    return this.#event(extFrames.clearStatus(extension, key));
  }

  widget(widget: Widget): Support {
    const { extension, id: key, title, lines } = widget;
    keysOf(this.#widgets, extension).add(key);
    const widgetLines = title === "" ? lines : [title, ...lines];
    this.#ui("setWidget", { widgetKey: ownKey(extension, key), widgetLines, widgetPlacement: "aboveEditor" });
    return this.#event(extFrames.widget(widget));
  }

  clearWidget(extension: string, id: string): Support {
    this.#dropWidget(extension, id);
    return this.#event(extFrames.clearWidget(extension, id));
  }

  clearChrome(extension: string): Support {
    for (const key of keysOf(this.#statuses, extension)) this.#dropStatus(extension, key);
    for (const key of keysOf(this.#widgets, extension)) this.#dropWidget(extension, key);
    this.#statuses.delete(extension);
    this.#widgets.delete(extension);
    return this.#event(extFrames.clearChrome(extension));
  }

  alert(alert: Alert): Support {
    return this.#event(extFrames.alert(alert));
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

  ask({ question, timeoutMs, extension }: Dialog, signal: AbortSignal): Promise<DialogAnswer> {
    return this.#options.dialogs.ask(question, { signal, timeoutMs, owner: extension });
  }

  openUrl({ url, launchUrl, instructions }: Link): Support {
    return this.#ui("open_url", { url, launchUrl, instructions: instructions === "" ? undefined : instructions });
  }

  submit({ text }: Submission): Support {
    return this.#options.submit(text);
  }

  submitSlash({ name, args }: SlashSubmission): Support {
    return this.#options.submitSlash(args === "" ? `/${name}` : `/${name} ${args}`);
  }

  /** The client's editor cannot be inserted into; replacing what is in it is what the wire has. */
  insert({ text }: Submission): Support {
    return this.#ui("set_editor_text", { text });
  }

  setEditorText({ text }: Submission): Support {
    return this.#ui("set_editor_text", { text });
  }

  setTitle({ text }: Submission): Support {
    return this.#options.showsTitle ? this.#ui("setTitle", { title: text }) : "unsupported";
  }

  #dropStatus(extension: string, key: string): void {
    keysOf(this.#statuses, extension).delete(key);
    this.#ui("setStatus", { statusKey: ownKey(extension, key) });
  }

  #dropWidget(extension: string, key: string): void {
    keysOf(this.#widgets, extension).delete(key);
    this.#ui("setWidget", { widgetKey: ownKey(extension, key) });
  }

  #panel(event: "open" | "render" | "close", panel: Panel): Support {
    return this.showsPanels ? this.#event(extFrames.panel(event, panel)) : "unsupported";
  }

  #ui(method: string, fields: Readonly<Record<string, unknown>>): Support {
    this.#options.dialogs.tell(method, fields);
    return "done";
  }

  #event({ type, fields }: ExtFrame): Support {
    this.#options.events.emit(type, fields);
    return "done";
  }
}

/** Two extensions may use the same key, a client sees one list. */
function ownKey(extension: string, key: string): string {
  return `${extension}/${key}`;
}

function keysOf(table: Map<string, Set<string>>, extension: string): Set<string> {
  const known = table.get(extension) ?? new Set<string>();
  table.set(extension, known);
  return known;
}
