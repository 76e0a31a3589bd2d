import type { ApprovalRequest } from "../../../agent/approval.ts";
import { prettyJson } from "./pretty-json.ts";
import { revealedText } from "./revealed-text.ts";

const PROMPT = "$ ";

/**
 * A call of `bash` as it would stand in a terminal: the command with its own line breaks, set in so that it cannot pass for what
 * comes behind it, then the other arguments. Undefined for other calls, and for arguments that say more than their values do
 * (a key twice, an escaped letter): those are shown as they are written.
 */
export function commandText({ name, args }: ApprovalRequest): string | undefined {
  const value = name === "bash" ? args.value() : undefined;
  if (!hasCommand(value) || JSON.stringify(value) !== args.text) return undefined;
  const { command, ...others } = value;
  const lines = revealedText(command).replaceAll("\n", `\n${" ".repeat(PROMPT.length)}`);
  const rest = Object.keys(others).length === 0 ? "" : `\n${revealedText(prettyJson(JSON.stringify(others)))}`;
  return `${PROMPT}${lines}${rest}`;
}

function hasCommand(value: unknown): value is { readonly command: string } {
  return typeof value === "object" && value !== null && "command" in value && typeof value.command === "string";
}
