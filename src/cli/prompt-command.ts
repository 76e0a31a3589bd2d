import type { PromptEnd } from "../agent/agent.ts";
import { AgentError } from "../agent/error.ts";
import { type CommandOutcome, parseSlash } from "../host/contributions/commands.ts";
import type { ExtensionHost } from "../host/host.ts";
import type { HeadlessRun } from "../surfaces/run.ts";
import type { Terminal } from "./terminal.ts";

/** A prompt that is a slash command of an extension runs it; the text for the model, or how it ended without one. */
export async function throughCommand(
  prompt: string,
  host: ExtensionHost,
  shown: HeadlessRun,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | PromptEnd> {
  const slash = parseSlash(prompt);
  if (slash === undefined || !host.commands.has(slash.name)) return prompt;
  const outcome = await host.commands.invoke(slash.name, slash.args, signal);
  return outcome.kind === "prompt" ? outcome.text : withoutTurn(outcome, slash.name, shown, terminal);
}

function withoutTurn(
  outcome: Exclude<CommandOutcome, { kind: "prompt" }>,
  name: string,
  shown: HeadlessRun,
  terminal: Terminal,
): PromptEnd {
  switch (outcome.kind) {
    case "display":
      shown.display(outcome.text, outcome.extension);
      break;
    case "insert":
    case "open_panel":
      terminal.warn(
        `/${name} wants ${outcome.kind === "insert" ? "an editor" : "a panel"}, which needs a terminal session`,
      );
      break;
    case "noop":
      break;
    case "cancelled":
      return { kind: "aborted", text: "" };
    case "error":
      terminal.error(outcome.text);
      return { kind: "failed", error: new AgentError("command", outcome.text) };
  }
  return { kind: "completed", text: "" };
}
