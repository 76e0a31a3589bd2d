import type { AskAnswer, AskQuestion, DialogAnswer, Question } from "../dialog.ts";

/** An answer that fits its question, or what is wrong with it. */
export type CheckedAnswer = { readonly answer: DialogAnswer } | { readonly fault: string };

/**
 * Checks what a surface answered (feature `ui`): each question takes its own kind of answer, and `ask` one answer a
 * question, in the order of the questions. A surface may stand for a client of any kind, so nothing is taken on trust.
 */
export function checkAnswer(question: Question, answer: DialogAnswer): CheckedAnswer {
  if (answer.kind === "cancelled") return { answer };
  const expected = EXPECTED[question.kind];
  if (answer.kind !== expected) return { fault: `${question.kind} is answered by ${expected}, not by ${answer.kind}` };
  if (question.kind !== "ask" || answer.kind !== "answers") return { answer };
  const { questions } = question;
  if (answer.answers.length !== questions.length)
    return { fault: `${answer.answers.length} answers to ${questions.length} questions` };
  const answers: AskAnswer[] = [];
  for (const [index, given] of answer.answers.entries()) {
    const asked = questions[index];
    if (asked === undefined) continue;
    const customInput = given.customInput?.trim() ?? "";
    const fault = askFault(asked, given, customInput);
    if (fault !== undefined) return { fault: `question ${JSON.stringify(asked.id)}: ${fault}` };
    const { id, selectedOptions } = given;
    answers.push(customInput === "" ? { id, selectedOptions } : { id, selectedOptions, customInput });
  }
  return { answer: { kind: "answers", answers } };
}

const EXPECTED: Readonly<Record<Question["kind"], DialogAnswer["kind"]>> = {
  select: "value",
  input: "value",
  editor: "value",
  confirm: "confirmed",
  ask: "answers",
};

function askFault(question: AskQuestion, { id, selectedOptions }: AskAnswer, customInput: string): string | undefined {
  if (id !== question.id) return `answered as ${JSON.stringify(id)}`;
  const labels = new Set(question.options.map(({ label }) => label));
  const unknown = selectedOptions.find((label) => !labels.has(label));
  if (unknown !== undefined) return `no option is called ${JSON.stringify(unknown.slice(0, 80))}`;
  if (new Set(selectedOptions).size !== selectedOptions.length) return "one option is chosen twice";
  if (question.multi) return undefined;
  if (selectedOptions.length > 1) return "more than one option is chosen";
  return selectedOptions.length === 1 && customInput !== "" ? "both an option and a text are given" : undefined;
}
