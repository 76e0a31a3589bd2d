import * as v from "valibot";
import type { AskQuestion, DialogAnswer, Question } from "../../host/dialog.ts";

const CANCELLED: DialogAnswer = { kind: "cancelled" };

/** A question as the fields of its `extension_ui_request` (rpc-wire.md §3.3.1). */
export function questionFields(question: Question): Readonly<Record<string, unknown>> {
  switch (question.kind) {
    case "select": {
      const { title, options } = question;
      const details = options.map(({ description }) =>
        description.trim() === "" ? {} : { description: description.trim() },
      );
      const isPlain = options.every(({ description }) => description.trim() === "");
      const labels = options.map(({ label }) => label);
      return { method: "select", title, options: labels, optionDetails: isPlain ? undefined : details };
    }
    case "confirm":
      return { method: "confirm", title: question.title, message: question.message };
    case "input": {
      const { title, placeholder, masked } = question;
      return { method: "input", title, placeholder: absentIfEmpty(placeholder), secret: masked ? true : undefined };
    }
    case "editor": {
      const { title, prefill, promptStyle } = question;
      return {
        method: "editor",
        title,
        prefill: absentIfEmpty(prefill),
        promptStyle: promptStyle ? true : undefined,
      };
    }
    case "ask":
      return { method: "ask", questions: question.questions.map(askFields) };
  }
}

function askFields({ id, question, header, options, multi, recommended }: AskQuestion): object {
  return {
    id,
    question,
    header: absentIfEmpty(header),
    options: options.map(({ label, description, preview }) => ({
      label,
      description: absentIfEmpty(description),
      preview: absentIfEmpty(preview),
    })),
    multi,
    recommended,
  };
}

const answersSchema = v.array(
  v.looseObject({ id: v.string(), selectedOptions: v.array(v.string()), customInput: v.nullish(v.string()) }),
);

/** What a response means for `question` (§3.3.1); a payload of another kind counts as no answer. */
export function answerOf(question: Question, fields: Readonly<Record<string, unknown>>): DialogAnswer {
  if (fields["cancelled"] === true) return { kind: "cancelled", timedOut: fields["timedOut"] === true };
  switch (question.kind) {
    case "confirm":
      return typeof fields["confirmed"] === "boolean"
        ? { kind: "confirmed", confirmed: fields["confirmed"] }
        : { kind: "confirmed", confirmed: false };
    case "ask": {
      const answers = v.safeParse(answersSchema, fields["answers"]);
      if (!answers.success) return CANCELLED;
      return {
        kind: "answers",
        answers: answers.output.map(({ id, selectedOptions, customInput }) => ({
          id,
          selectedOptions,
          ...(typeof customInput === "string" ? { customInput } : {}),
        })),
      };
    }
    case "select": {
      const value = textValue(fields["value"]);
      // A value that was never offered would be trusted by whoever offered the others.
      const isOffered = question.options.some(({ label }) => label === value);
      return value !== undefined && isOffered ? { kind: "value", value } : CANCELLED;
    }
    case "input":
    case "editor": {
      const value = textValue(fields["value"]);
      return value === undefined ? CANCELLED : { kind: "value", value };
    }
  }
}

/** Numbers and truth values are what a careless client makes of a text; nothing else can be one. */
function textValue(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function absentIfEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}
