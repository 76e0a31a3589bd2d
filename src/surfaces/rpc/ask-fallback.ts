import type { AskAnswer, AskQuestion, DialogAnswer, Question } from "../../host/dialog.ts";

const OTHER = "Other (type your own)";
const RECOMMENDED = " (Recommended)";
/** A multiple choice ends when nothing new is chosen; this many rounds are more than any list needs. */
const ROUNDS_MAX = 1_000;

type Ask = (question: Question) => Promise<DialogAnswer>;
type Answered = AskAnswer | Extract<DialogAnswer, { kind: "cancelled" }>;

/**
 * An `ask` for clients that do not draw it: one `select` a question, repeated for multiple choice, and an `editor` for
 * free text (rpc-wire.md §3.3.3). Cancelling one question cancels all.
 */
export async function askFallback(questions: readonly AskQuestion[], ask: Ask): Promise<DialogAnswer> {
  const answers: AskAnswer[] = [];
  for (const [index, question] of questions.entries()) {
    const counter = questions.length === 1 ? "" : ` (${index + 1}/${questions.length})`;
    const answer = await askOne(question, `${question.question}${counter}`, ask);
    if ("kind" in answer) return answer;
    answers.push(answer);
  }
  return { kind: "answers", answers };
}

async function askOne(question: AskQuestion, title: string, ask: Ask): Promise<Answered> {
  const { id, options, multi, recommended } = question;
  const labels = options.map(({ label }, index) => (index === recommended ? `${label}${RECOMMENDED}` : label));
  const chosen = new Set<string>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const heading = chosen.size === 0 ? title : `(${chosen.size} selected) ${title}`;
    const answer = await ask({
      kind: "select",
      title: heading,
      options: [
        ...options.map(({ description }, index) => ({ label: labels[index] ?? "", description })),
        { label: OTHER, description: "" },
      ],
    });
    if (answer.kind === "cancelled" && chosen.size > 0 && answer.timedOut !== true) break;
    if (answer.kind !== "value") return answer.kind === "cancelled" ? answer : { kind: "cancelled" };
    if (answer.value === OTHER) return await askText(id, heading, [...chosen], multi, ask);
    const label = options[labels.indexOf(answer.value)]?.label ?? answer.value;
    if (!multi) return { id, selectedOptions: [label] };
    // Chosen once more means taken back.
    if (!chosen.delete(label)) chosen.add(label);
  }
  return { id, selectedOptions: [...chosen] };
}

async function askText(
  id: string,
  title: string,
  chosen: readonly string[],
  multi: boolean,
  ask: Ask,
): Promise<Answered> {
  const typed = await ask({
    kind: "editor",
    title: `${title}\n\nEnter your response:`,
    prefill: "",
    promptStyle: true,
  });
  if (typed.kind !== "value") return typed.kind === "cancelled" ? typed : { kind: "cancelled" };
  const customInput = typed.value.trim();
  const selectedOptions = multi ? chosen : [];
  return customInput === "" ? { id, selectedOptions } : { id, selectedOptions, customInput };
}
