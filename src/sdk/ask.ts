import { isRecord, optionalTextIn, textIn } from "./frames.ts";

/** One thing to choose. */
export interface AskOption {
  readonly label: string;
  readonly description?: string;
  /** Shown beside the option while it is chosen: code, for example. */
  readonly preview?: string;
}

/** One question of `ui.ask`. The user may always answer in words instead. */
export interface AskQuestion {
  /** Under which its answer is found; unique among the questions. */
  readonly id: string;
  readonly question: string;
  /** A word or two in place of the question where there is little room. */
  readonly header?: string;
  readonly options?: readonly (string | AskOption)[];
  /** Any number of options may be chosen, none included. */
  readonly multi?: boolean;
  /** Index into `options`. */
  readonly recommended?: number;
}

export interface AskAnswer {
  /** Labels, at most one unless the question is `multi`. */
  readonly selectedOptions: readonly string[];
  /** What the user wrote instead, or besides when the question is `multi`. */
  readonly customInput?: string;
}

/** The answers by the ids of their questions. */
export type AskAnswers<Q extends readonly AskQuestion[]> = { readonly [Id in Q[number]["id"]]: AskAnswer };

/** Questions as the wire has them. */
export function askedQuestions(questions: readonly AskQuestion[]): readonly Readonly<Record<string, unknown>>[] {
  return questions.map(({ options = [], ...question }) => ({
    ...question,
    options: options.map((option) => (typeof option === "string" ? { label: option } : option)),
  }));
}

/** Reads the `answers` of a host; undefined unless each question got one. */
export function readAnswers<const Q extends readonly AskQuestion[]>(
  questions: Q,
  given: unknown,
): AskAnswers<Q> | undefined {
  const answers = Object.fromEntries((Array.isArray(given) ? given : []).filter(isRecord).map(entryOf));
  return isComplete(questions, answers) ? answers : undefined;
}

function entryOf(answer: Readonly<Record<string, unknown>>): [string, AskAnswer] {
  const customInput = optionalTextIn(answer, "customInput");
  const selected = Array.isArray(answer["selectedOptions"]) ? answer["selectedOptions"] : [];
  const selectedOptions = selected.filter((label): label is string => typeof label === "string");
  return [textIn(answer, "id"), { selectedOptions, ...(customInput === undefined ? {} : { customInput }) }];
}

function isComplete<const Q extends readonly AskQuestion[]>(
  questions: Q,
  answers: Readonly<Record<string, AskAnswer>>,
): answers is AskAnswers<Q> {
  return questions.every(({ id }) => Object.hasOwn(answers, id));
}
