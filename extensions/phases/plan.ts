import type { FromSchema } from "zot/ext";

const MAX_PHASES = 30;
const MAX_NAME = 200;
/** zot shows at most 11 rows of all widgets together. */
const WIDGET_ROWS = 9;

/** What is stored with the conversation. */
export const planSchema = {
  type: "object",
  properties: {
    phases: { type: "array", items: { type: "string" } },
    /** So many of them are finished; the next one is at work. */
    done: { type: "integer" },
  },
  required: ["phases", "done"],
} as const;

export type Plan = FromSchema<typeof planSchema>;

export const NO_PLAN: Plan = { phases: [], done: 0 };

/** A new plan with nothing done. Throws when it has no phases, or too many. */
export function planned(names: readonly string[]): Plan {
  const phases = names.map((name) => name.replaceAll(/\s+/g, " ").trim().slice(0, MAX_NAME)).filter(Boolean);
  if (phases.length === 0) throw new Error("a plan needs phases");
  if (phases.length > MAX_PHASES) throw new Error(`a plan has at most ${MAX_PHASES} phases; join some of them`);
  return { phases, done: 0 };
}

/** The plan with one phase more done. Throws when there is none left. */
export function advanced({ phases, done }: Plan): Plan {
  if (done >= phases.length) throw new Error(phases.length === 0 ? "there is no plan" : "all phases are done already");
  return { phases, done: done + 1 };
}

/** The phase at work; undefined when there is none. */
export function current({ phases, done }: Plan): string | undefined {
  return phases[done];
}

/** One line; empty when there is no plan. */
export function headline(plan: Plan): string {
  const { phases, done } = plan;
  if (phases.length === 0) return "";
  const name = current(plan);
  return name === undefined ? `all ${phases.length} phases done` : `phase ${done + 1} of ${phases.length}: ${name}`;
}

/** Every phase with its mark, one a row. */
export function rows({ phases, done }: Plan): string[] {
  return phases.map((name, index) => `${mark(index, done)} ${name}`);
}

/** As many rows as a widget may have, those around the phase at work. */
export function widgetRows(plan: Plan): string[] {
  const all = rows(plan);
  if (all.length <= WIDGET_ROWS) return all;
  // A row each for what is left out before and behind.
  const room = WIDGET_ROWS - 2;
  const first = Math.min(Math.max(0, plan.done - 2), all.length - room);
  const behind = all.length - first - room;
  return [
    ...(first > 0 ? [`  … ${first} before`] : []),
    ...all.slice(first, first + room),
    ...(behind > 0 ? [`  … ${behind} more`] : []),
  ];
}

/** What the model is told before each of its steps; undefined when there is nothing to do. */
export function reminder(plan: Plan): string | undefined {
  const name = current(plan);
  if (name === undefined) return undefined;
  return `The plan of this conversation:\n${rows(plan).join("\n")}\nWork on "${name}" only. When it is done, call phases with {"action":"next"}.`;
}

function mark(index: number, done: number): string {
  if (index < done) return "✓";
  return index === done ? "▸" : "·";
}
