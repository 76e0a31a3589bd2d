import * as v from "valibot";
import type { InboundFrame } from "../../wire/frames.ts";
import { faultOf } from "../../wire/schemas.ts";
import {
  type Ask,
  askSchema,
  cancelSchema,
  confirmSchema,
  editorSchema,
  inputSchema,
  openUrlSchema,
  type Select,
  selectSchema,
  setEditorTextSchema,
  setStatusSchema,
  setTitleSchema,
  setWidgetSchema,
  uiEnvelopeSchema,
  uiNotifySchema,
} from "../../wire/ui-request.ts";
import type { Question } from "../dialog.ts";
import type { Extension } from "../extension.ts";
import type { Chrome } from "./chrome.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Links } from "./links.ts";
import type { Submits } from "./submits.ts";

/** Handles one request; a fault in words when it is not what its method asks for. */
type Handler = (extension: Extension, id: string, frame: InboundFrame) => string | undefined;

/** Where a request of feature `ui` goes: questions to the dialogs, the rest to the rooms that plain frames reach too. */
export class UiRequests {
  readonly #dialogs: Dialogs;
  readonly #questions: ReadonlyMap<string, Handler>;
  readonly #notices: ReadonlyMap<string, Handler>;

  constructor(dialogs: Dialogs, chrome: Chrome, submits: Submits, links: Links) {
    this.#dialogs = dialogs;
    this.#questions = new Map([
      [
        "select",
        this.#asks(selectSchema, (select) => ({ kind: "select", title: select.title, options: optionsOf(select) })),
      ],
      ["confirm", this.#asks(confirmSchema, ({ title, message }) => ({ kind: "confirm", title, message }))],
      [
        "input",
        this.#asks(inputSchema, ({ title, placeholder, secret }) => {
          return { kind: "input", title, placeholder, masked: secret ?? false };
        }),
      ],
      [
        "editor",
        this.#asks(editorSchema, ({ title, prefill, promptStyle }) => {
          return { kind: "editor", title, prefill, promptStyle: promptStyle ?? false };
        }),
      ],
      ["ask", this.#asks(askSchema, (ask) => ({ kind: "ask", questions: ask.questions.map(questionOf) }))],
    ]);
    this.#notices = new Map([
      ["cancel", checked(cancelSchema, (extension, { targetId }) => dialogs.cancel(extension, targetId))],
      [
        "notify",
        checked(uiNotifySchema, (extension, { message, notifyType }) => {
          chrome.notes.notify(extension, { level: LEVELS.get(notifyType) ?? notifyType, message });
        }),
      ],
      [
        "setStatus",
        checked(setStatusSchema, (extension, { statusKey, statusText }) => {
          chrome.statuses.put(extension, { key: statusKey, level: "", text: statusText });
        }),
      ],
      [
        "setWidget",
        checked(setWidgetSchema, (extension, { widgetKey, widgetLines }) => {
          if (widgetLines === null || widgetLines === undefined) chrome.widgets.clear(extension, widgetKey);
          else chrome.widgets.put(extension, { id: widgetKey, title: "", lines: widgetLines });
        }),
      ],
      ["setTitle", checked(setTitleSchema, (extension, { title }) => submits.setTitle(extension, title))],
      [
        "set_editor_text",
        checked(setEditorTextSchema, (extension, { text }) => submits.setEditorText(extension, text)),
      ],
      ["open_url", checked(openUrlSchema, (extension, link) => links.open(extension, link))],
    ]);
  }

  /** A question that is malformed or of a kind we do not know is answered all the same: somebody waits for it. */
  handle(extension: Extension, frame: InboundFrame): void {
    const envelope = v.safeParse(uiEnvelopeSchema, frame);
    if (!envelope.success) {
      extension.diagnostics.add(`bad extension_ui_request frame: ${faultOf(envelope.issues)}`);
      return;
    }
    const { id, method } = envelope.output;
    const notice = this.#notices.get(method);
    const question = this.#questions.get(method);
    const fault = handled(notice ?? question, extension, id, frame);
    if (fault === undefined) return;
    extension.diagnostics.add(`bad extension_ui_request ${JSON.stringify(method.slice(0, 80))}: ${fault}`);
    if (notice === undefined && id !== "") this.#dialogs.refuse(extension, id);
  }

  #asks<T extends { readonly timeout?: number | null | undefined }>(
    schema: v.GenericSchema<unknown, T>,
    question: (fields: T) => Question,
  ): Handler {
    return (extension, id, frame) => {
      if (id === "") return "a question needs an id";
      return checked(schema, (owner, fields) => {
        const { timeout } = fields;
        const timeoutMs = typeof timeout === "number" && timeout > 0 ? timeout : undefined;
        this.#dialogs.ask(owner, id, question(fields), timeoutMs);
      })(extension, id, frame);
    };
  }
}

function handled(
  handler: Handler | undefined,
  extension: Extension,
  id: string,
  frame: InboundFrame,
): string | undefined {
  return handler === undefined ? "unknown method" : handler(extension, id, frame);
}

function checked<T>(schema: v.GenericSchema<unknown, T>, handle: (extension: Extension, fields: T) => void): Handler {
  return (extension, _id, frame) => {
    const result = v.safeParse(schema, frame);
    if (!result.success) return faultOf(result.issues);
    handle(extension, result.output);
    return undefined;
  };
}

/** Levels go by our names everywhere. */
const LEVELS: ReadonlyMap<string, string> = new Map([["warning", "warn"]]);

function optionsOf({ options, optionDetails }: Select): { label: string; description: string }[] {
  return options.map((label, index) => ({ label, description: optionDetails?.[index]?.description?.trim() ?? "" }));
}

function questionOf({ id, question, header, options, multi, recommended }: Ask["questions"][number]) {
  return {
    id,
    question,
    header,
    options: options.map(({ label, description, preview }) => ({ label, description, preview })),
    multi: multi ?? false,
    ...(typeof recommended === "number" ? { recommended } : {}),
  };
}
