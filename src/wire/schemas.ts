import * as v from "valibot";

/**
 * Frames from an extension that change state, one schema a type (extension-host.md §3.1). Objects are loose: unknown
 * keys are a newer dialect, not an error. `null` counts as absent, as it does for the encoders of both SDKs.
 */

const optionalText = v.nullish(v.string(), "");
const optionalFlag = v.nullish(v.boolean(), false);
const optionalTexts = v.nullish(v.array(v.string()), () => []);

export const helloSchema = v.looseObject({
  type: v.literal("hello"),
  name: v.pipe(v.string(), v.nonEmpty()),
  version: optionalText,
  /** Absent and 0 mean dialect 1. */
  protocol_version: v.nullish(v.pipe(v.number(), v.integer()), 0),
  capabilities: optionalTexts,
});

export const registerCommandSchema = v.looseObject({ name: v.string(), description: optionalText });

export const registerToolSchema = v.looseObject({
  name: v.string(),
  description: optionalText,
  /** Checked by the registry; the raw text is what counts. */
  schema: v.optional(v.unknown()),
  deferred: optionalFlag,
  interactive: optionalFlag,
});

export const subscribeSchema = v.looseObject({ events: optionalTexts, intercept: optionalTexts });

/** An empty id is a panel like any other (§5.1). */
const panelSchema = v.looseObject({
  id: optionalText,
  title: optionalText,
  lines: optionalTexts,
  footer: optionalText,
});

export const openPanelSchema = v.looseObject({ panel: panelSchema });

export const panelRenderSchema = v.looseObject({
  panel_id: optionalText,
  title: optionalText,
  lines: optionalTexts,
  footer: optionalText,
});

export const panelCloseSchema = v.looseObject({ panel_id: optionalText });

export const commandResponseSchema = v.looseObject({
  action: optionalText,
  prompt: optionalText,
  insert: optionalText,
  display: optionalText,
  open_panel: v.nullish(panelSchema),
  error: optionalText,
});

/** `modified_args` and `system_prompt` are judged by the pipeline, which must tell absent from wrong. */
export const interceptResponseSchema = v.looseObject({
  block: optionalFlag,
  reason: optionalText,
  modified_args: v.optional(v.unknown()),
  replace_text: optionalText,
  context: optionalText,
});

export const notifySchema = v.looseObject({ level: optionalText, message: v.string() });

/** Blank keys and ids are ignored by the rooms, so they are no fault here (§5.5). */
export const statusSchema = v.looseObject({ key: optionalText, level: optionalText, text: optionalText });

export const widgetSchema = v.looseObject({ id: optionalText, title: optionalText, lines: optionalTexts });

export const widgetClearSchema = v.looseObject({ id: optionalText });

export const alertSchema = v.looseObject({ kind: v.string(), reason: optionalText });

/** Both `submit` and `submit_slash`. */
export const submitSchema = v.looseObject({ text: v.string() });

/** `data` is written as it came, digit for digit. */
export const logSchema = v.looseObject({ level: optionalText, message: v.string(), data: v.optional(v.unknown()) });

export const registerUriSchemeSchema = v.looseObject({
  scheme: v.string(),
  description: optionalText,
  writable: optionalFlag,
  immutable: optionalFlag,
});

export const uriResultSchema = v.looseObject({
  content: v.nullish(v.string()),
  contentType: optionalText,
  notes: optionalTexts,
  immutable: v.nullish(v.boolean()),
  isError: optionalFlag,
  error: optionalText,
});

export type Hello = v.InferOutput<typeof helloSchema>;
export type Subscribe = v.InferOutput<typeof subscribeSchema>;
export type CommandResponse = v.InferOutput<typeof commandResponseSchema>;
export type InterceptResponse = v.InferOutput<typeof interceptResponseSchema>;
export type Notify = v.InferOutput<typeof notifySchema>;
export type PanelRender = v.InferOutput<typeof panelRenderSchema>;
export type StatusFields = v.InferOutput<typeof statusSchema>;
export type WidgetFields = v.InferOutput<typeof widgetSchema>;
export type AlertFields = v.InferOutput<typeof alertSchema>;
export type RegisterUriScheme = v.InferOutput<typeof registerUriSchemeSchema>;
export type UriResult = v.InferOutput<typeof uriResultSchema>;

/** The first fault of a failed parse in words: `protocol_version: Expected number but received "1"`. */
export function faultOf(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [issue] = issues;
  const path = v.getDotPath(issue);
  const text = issue.message.replace(/^Invalid (type|key|length|integer): /, "");
  return path === null ? text : `${path}: ${text}`;
}
