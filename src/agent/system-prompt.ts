import { join } from "node:path";
import { readSmallFile } from "../host/launch/small-file.ts";
import { contextFiles } from "./context-files.ts";

const SYSTEM_FILE_MAX_BYTES = 1024 * 1024;

export interface SystemPromptOptions {
  readonly home: string;
  readonly cwd: string;
  /** `--system-prompt`: replaces the identity, even when empty. */
  readonly replace?: string;
  /** `--append-system-prompt`, in the order given. */
  readonly append: readonly string[];
  /** False with `--no-context-files`. */
  readonly useContextFiles: boolean;
  readonly now: Date;
}

const IDENTITY = `You are zot, a coding agent that works in a terminal for the person who started it.

You help with software: reading and changing code, running commands, finding out why something fails. Use your tools to look at the
real files and to check what you did; do not guess what you can read. Make the smallest change that does what was asked and keep to
the style of the code around it. When something fails, say so plainly and say what you tried. Ask before you delete or overwrite
work that you did not make. Extensions may have given you further tools; use them for what their descriptions say.

Be brief. Answer in the language of the question. Name files by their path.`;

/** The complete system prompt (extension-host.md §8.4). The date is fixed when it is built, which keeps caches warm. */
export function buildSystemPrompt(options: SystemPromptOptions): string {
  const parts = [options.replace ?? ownPrompt(options.home) ?? IDENTITY, ...options.append];
  if (options.useContextFiles) {
    for (const { path, text } of contextFiles(options.home, options.cwd)) parts.push(`## ${path}\n\n${text.trim()}`);
  }
  parts.push(`Current date: ${localDate(options.now)}\nCurrent working directory: ${options.cwd}`);
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** `$ZOT_HOME/SYSTEM.md`, when the user wrote one. */
function ownPrompt(home: string): string | undefined {
  try {
    return readSmallFile(join(home, "SYSTEM.md"), SYSTEM_FILE_MAX_BYTES).trim();
  } catch {
    // There is none, which is the usual case.
    return undefined;
  }
}

function localDate(date: Date): string {
  const pad = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
