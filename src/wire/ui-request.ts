import * as v from "valibot";
import {
  CHROME_KEY_MAX_CHARS,
  DIALOG_OPTION_MAX_CHARS,
  DIALOG_OPTIONS_MAX,
  DIALOG_PREFILL_MAX_CHARS,
  DIALOG_QUESTIONS_MAX,
  DIALOG_TEXT_MAX_CHARS,
  SUBMIT_MAX_CHARS,
  URL_MAX_CHARS,
} from "./limits.ts";

/**
 * `extension_ui_request` (feature `ui`): one schema a method, loose like all frames. Sizes are part of the check: a
 * dialog that is too large is refused, because a cut option would come back as an answer that was never offered.
 */

const atMost = (chars: number) => v.pipe(v.string(), v.maxLength(chars));
const text = v.nullish(atMost(DIALOG_TEXT_MAX_CHARS), "");
const option = atMost(DIALOG_OPTION_MAX_CHARS);
const flag = v.nullish(v.boolean(), false);
/** ms; zero and less mean none. */
const timeout = v.nullish(v.number());
const key = v.nullish(v.string(), "");

/** What every request has. Fire-and-forget methods need no id. */
export const uiEnvelopeSchema = v.looseObject({
  id: v.nullish(v.pipe(v.string(), v.maxLength(CHROME_KEY_MAX_CHARS)), ""),
  method: v.string(),
});

export const selectSchema = v.looseObject({
  title: text,
  options: v.pipe(v.array(option), v.maxLength(DIALOG_OPTIONS_MAX)),
  /** Positional; `{}` stands for an option without one. */
  optionDetails: v.nullish(
    v.pipe(v.array(v.looseObject({ description: v.nullish(option, "") })), v.maxLength(DIALOG_OPTIONS_MAX)),
    () => [],
  ),
  timeout,
});

export const confirmSchema = v.looseObject({ title: text, message: text, timeout });

export const inputSchema = v.looseObject({ title: text, placeholder: text, secret: flag, timeout });

export const editorSchema = v.looseObject({
  title: text,
  prefill: v.nullish(atMost(DIALOG_PREFILL_MAX_CHARS), ""),
  promptStyle: flag,
  timeout,
});

const askQuestionSchema = v.pipe(
  v.looseObject({
    id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(CHROME_KEY_MAX_CHARS)),
    question: atMost(DIALOG_TEXT_MAX_CHARS),
    header: text,
    options: v.pipe(
      v.array(v.looseObject({ label: v.pipe(option, v.nonEmpty()), description: text, preview: text })),
      v.maxLength(DIALOG_OPTIONS_MAX),
    ),
    multi: flag,
    recommended: v.nullish(v.pipe(v.number(), v.integer())),
  }),
  v.check(({ options, recommended }) => {
    return recommended === null || recommended === undefined || options[recommended] !== undefined;
  }, "recommended is no index of options"),
  v.check(
    ({ options }) => new Set(options.map(({ label }) => label)).size === options.length,
    "options has one label twice",
  ),
);

export const askSchema = v.looseObject({
  questions: v.pipe(
    v.array(askQuestionSchema),
    v.minLength(1),
    v.maxLength(DIALOG_QUESTIONS_MAX),
    v.check((questions) => new Set(questions.map(({ id }) => id)).size === questions.length, "one id twice"),
  ),
  timeout,
});

export const cancelSchema = v.looseObject({ targetId: v.string() });

export const uiNotifySchema = v.looseObject({ message: v.string(), notifyType: v.nullish(v.string(), "") });

/** Without a text the status goes. */
export const setStatusSchema = v.looseObject({ statusKey: key, statusText: v.nullish(v.string(), "") });

/** Without lines the widget goes. */
export const setWidgetSchema = v.looseObject({ widgetKey: key, widgetLines: v.nullish(v.array(v.string())) });

export const setTitleSchema = v.looseObject({ title: v.string() });

export const setEditorTextSchema = v.looseObject({ text: atMost(SUBMIT_MAX_CHARS) });

const url = v.pipe(v.string(), v.maxLength(URL_MAX_CHARS));

export const openUrlSchema = v.looseObject({
  url,
  /** A short redirect to `url`, the better one to copy. */
  launchUrl: v.nullish(url),
  instructions: text,
});

export type Select = v.InferOutput<typeof selectSchema>;
export type Ask = v.InferOutput<typeof askSchema>;
export type OpenUrl = v.InferOutput<typeof openUrlSchema>;
