/** One step of a rehearsal script. */
export type Step =
  | { readonly type: "say" | "think"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly arguments: string; readonly isParallel: boolean }
  | { readonly type: "sleep"; readonly ms: number }
  | { readonly type: "fail"; readonly status: number; readonly times: number }
  | { readonly type: "drop"; readonly times: number };

/** Longest `sleep`, in ms. */
const MAX_SLEEP_MS = 600_000;
const DEFAULT_STATUS = 500;

/** Reads the script lines of a prompt; empty when it holds none. `hasTools` false leaves the calls out. */
export function parseScript(prompt: string, hasTools: boolean): Step[] {
  return prompt
    .split(/\r\n|\r|\n/)
    .flatMap((line) => parseLine(line.trim()) ?? [])
    .filter((step) => hasTools || step.type !== "call");
}

function parseLine(line: string): Step | undefined {
  const [, word, rest = ""] = /^(call|say|think|sleep|fail|drop)(?:\s+(.*))?$/s.exec(line) ?? [];
  switch (word) {
    case "call":
      return parseCall(rest);
    case "say":
    case "think":
      return rest === "" ? undefined : { type: word, text: rest };
    case "sleep":
      return /^\d+$/.test(rest) ? { type: "sleep", ms: Math.min(Number(rest), MAX_SLEEP_MS) } : undefined;
    case "fail":
      return parseFail(rest);
    case "drop": {
      const times = parseTimes(rest);
      return times === undefined ? undefined : { type: "drop", times };
    }
    default:
      return undefined;
  }
}

function parseCall(rest: string): Step | undefined {
  const isParallel = rest.endsWith("&");
  const call = (isParallel ? rest.slice(0, -1) : rest).trim();
  const [, name, text = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(call) ?? [];
  if (name === undefined) return undefined;
  return { type: "call", name, arguments: text === "" ? "{}" : text, isParallel };
}

function parseFail(rest: string): Step | undefined {
  if (rest === "") return { type: "fail", status: DEFAULT_STATUS, times: 1 };
  const [, given, repeat = ""] = /^([45]\d\d)(?:\s+(.*))?$/.exec(rest) ?? [];
  const times = parseTimes(repeat);
  if (given === undefined || times === undefined) return undefined;
  return { type: "fail", status: Number(given), times };
}

/** How often a fault strikes; undefined for something that is no count. */
function parseTimes(text: string): number | undefined {
  if (text === "") return 1;
  if (text === "always") return Number.POSITIVE_INFINITY;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/**
 * Cuts a script into answers: each ends with its calls, for the model has to see their results before it goes on.
 * The positions of the steps within the whole script are kept.
 */
export function answersOf(script: readonly Step[]): { readonly step: Step; readonly position: number }[][] {
  const answers: { readonly step: Step; readonly position: number }[][] = [[]];
  script.forEach((step, position) => {
    answers.at(-1)?.push({ step, position });
    const next = script[position + 1];
    const goesOn = step.type === "call" && step.isParallel && next?.type === "call";
    if (step.type === "call" && !goesOn) answers.push([]);
  });
  return answers;
}
