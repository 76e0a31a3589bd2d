import type { Dialog, DialogAnswer } from "../../src/host/dialog.ts";
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
} from "../../src/host/ports.ts";
import { until } from "./until.ts";

/** One thing that a surface was told, in the words of its interface. */
export type SurfaceCall =
  | { readonly call: "note"; readonly note: Note }
  | { readonly call: "clearNotes" | "clearChrome"; readonly extension: string }
  | { readonly call: "status"; readonly status: Status }
  | { readonly call: "clearStatus" | "clearWidget"; readonly extension: string; readonly key: string }
  | { readonly call: "widget"; readonly widget: Widget }
  | { readonly call: "alert"; readonly alert: Alert }
  | { readonly call: "openPanel" | "renderPanel" | "closePanel"; readonly panel: Panel }
  | { readonly call: "openUrl"; readonly link: Link }
  | { readonly call: "submit" | "insert" | "setEditorText" | "setTitle"; readonly submission: Submission }
  | { readonly call: "submitSlash"; readonly command: SlashSubmission };

/** A dialog that was asked, to be answered by the test. */
export interface AskedDialog {
  readonly dialog: Dialog;
  readonly signal: AbortSignal;
  answer(answer: DialogAnswer): void;
  fail(error: Error): void;
}

type OfKind<C, K> = C extends { readonly call: infer Kinds }
  ? K extends Kinds
    ? C & { readonly call: K }
    : never
  : never;
type CallOf<K extends SurfaceCall["call"]> = OfKind<SurfaceCall, K>;

/** A surface that shows nothing and remembers everything. */
export class RecordingSurface implements AttachedSurface {
  readonly interactive: boolean;
  /** Everything it was told, in order. */
  readonly calls: SurfaceCall[] = [];
  readonly asked: AskedDialog[] = [];
  /** What it answers with "unsupported"; `ask` among them. */
  readonly lacks = new Set<SurfaceCall["call"] | "ask">();

  constructor(interactive = true) {
    this.interactive = interactive;
  }

  /** All calls of one kind so far. */
  of<K extends SurfaceCall["call"]>(kind: K): CallOf<K>[] {
    return this.calls.filter((call): call is CallOf<K> => call.call === kind);
  }

  /** `[extension] level: message` of every note so far. */
  get notes(): string[] {
    return this.of("note").map(({ note }) => `[${note.extension}] ${note.level}: ${note.message}`);
  }

  /** Waits for a note whose message is `message`. */
  async noted(message: string): Promise<Note> {
    return await until(`the note ${JSON.stringify(message)} among ${JSON.stringify(this.notes)}`, () => {
      return this.of("note").find(({ note }) => note.message === message)?.note;
    });
  }

  /** Waits for the `count`th call of one kind. */
  async told<K extends SurfaceCall["call"]>(kind: K, count = 1): Promise<CallOf<K>> {
    return await until(`${count} × ${kind} among ${JSON.stringify(this.calls)}`, () => this.of(kind)[count - 1]);
  }

  /** Waits for the `count`th dialog. */
  async dialog(count = 1): Promise<AskedDialog> {
    return await until(`dialog ${count}`, () => this.asked[count - 1]);
  }

  note(note: Note): Support {
    return this.#take({ call: "note", note });
  }

  clearNotes(extension: string): Support {
    return this.#take({ call: "clearNotes", extension });
  }

  status(status: Status): Support {
    return this.#take({ call: "status", status });
  }

  clearStatus(extension: string, key: string): Support {
    return this.#take({ call: "clearStatus", extension, key });
  }

  widget(widget: Widget): Support {
    return this.#take({ call: "widget", widget });
  }

  clearWidget(extension: string, key: string): Support {
    return this.#take({ call: "clearWidget", extension, key });
  }

  clearChrome(extension: string): Support {
    return this.#take({ call: "clearChrome", extension });
  }

  alert(alert: Alert): Support {
    return this.#take({ call: "alert", alert });
  }

  openPanel(panel: Panel): Support {
    return this.#take({ call: "openPanel", panel });
  }

  renderPanel(panel: Panel): Support {
    return this.#take({ call: "renderPanel", panel });
  }

  closePanel(panel: Panel): Support {
    return this.#take({ call: "closePanel", panel });
  }

  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer> | "unsupported" {
    if (this.lacks.has("ask")) return "unsupported";
    const { promise, resolve, reject } = Promise.withResolvers<DialogAnswer>();
    this.asked.push({ dialog, signal, answer: resolve, fail: reject });
    return promise;
  }

  openUrl(link: Link): Support {
    return this.#take({ call: "openUrl", link });
  }

  submit(submission: Submission): Support {
    return this.#take({ call: "submit", submission });
  }

  submitSlash(command: SlashSubmission): Support {
    return this.#take({ call: "submitSlash", command });
  }

  insert(submission: Submission): Support {
    return this.#take({ call: "insert", submission });
  }

  setEditorText(submission: Submission): Support {
    return this.#take({ call: "setEditorText", submission });
  }

  setTitle(submission: Submission): Support {
    return this.#take({ call: "setTitle", submission });
  }

  #take(call: SurfaceCall): Support {
    this.calls.push(call);
    return this.lacks.has(call.call) ? "unsupported" : "done";
  }
}
