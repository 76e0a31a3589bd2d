import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type InboundFrame, parseFrame } from "../../../src/wire/frames.ts";
import { repoRoot } from "../../support/zot.ts";

/** The protocol reference. */
const REFERENCE = join(repoRoot, "src", "wire", "README.md");

/** One line of a JSON block of the reference. */
export interface Example {
  /** As it stands there. */
  readonly line: string;
  readonly frame: InboundFrame;
  readonly from: "extension" | "host";
  /** Type of the request that it answers. */
  readonly answers: string | undefined;
}

/**
 * Every line of every JSON block. `<!-- from-… -->` says who sends what follows, `<!-- answers … -->` that the next block
 * answers requests. Throws at a line that is no frame, or whose sender is not said.
 */
export function examplesOf(markdown: string): Example[] {
  const examples: Example[] = [];
  let from: Example["from"] | undefined;
  let answers: string | undefined;
  let block: "json" | "other" | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("```")) {
      if (block === "json") answers = undefined;
      if (block === undefined) block = line === "```json" ? "json" : "other";
      else block = undefined;
      continue;
    }
    if (block === "json") examples.push(exampleOf(line, index + 1, from, answers));
    if (block !== undefined) continue;
    const [, mark, type] = /^<!-- (from-extension|from-host|answers) ?(\w*) -->$/.exec(line) ?? [];
    if (mark === "answers") answers = type;
    else if (mark !== undefined) from = mark === "from-host" ? "host" : "extension";
  }
  return examples;
}

export function reference(): string {
  return readFileSync(REFERENCE, "utf8");
}

function exampleOf(
  line: string,
  number: number,
  from: Example["from"] | undefined,
  answers: string | undefined,
): Example {
  const parsed = parseFrame(line);
  if (parsed.kind !== "frame") throw new Error(`line ${number} is no frame: ${line}`);
  if (from === undefined) throw new Error(`line ${number} says not who sends it: ${line}`);
  return { line, frame: parsed.frame, from, answers };
}
