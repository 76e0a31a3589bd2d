/**
 * Runs commands through the bash tool in a process of its own, for tests that need their own environment or memory
 * figures: `bun bash-runner.ts <command>...`. Prints the last outcome, and how far the memory grew from the first
 * command to the last.
 */
import { bashTool } from "../../../../src/agent/tools/bash.ts";
import { textOutcome } from "../../../../src/agent/tools/tool.ts";
import { textOf } from "../../../../src/llm/messages.ts";

const ignore = (): undefined => undefined;
const signal = new AbortController().signal;
const context = { callId: "call_1", cwd: process.cwd(), signal, progress: ignore, update: ignore };
let outcome = textOutcome("nothing was run", true);
let before = 0;
for (const command of process.argv.slice(2)) {
  before ||= process.resourceUsage().maxRSS;
  outcome = await bashTool.run({ command }, context);
}
const grownKb = process.resourceUsage().maxRSS - before;
console.log(JSON.stringify({ text: textOf(outcome), isError: outcome.isError, grownKb }));
