import type { PromptEnd } from "../../agent/agent.ts";
import { parseSlash } from "../../host/contributions/commands.ts";
import type { Desk } from "./commands/desk.ts";
import type { SlashCommands } from "./commands/slash-commands.ts";
import type { PromptEditor } from "./editor/prompt-editor.ts";
import type { ShellLine } from "./editor/shell-line.ts";
import { contentText } from "./transcript/conversation.ts";

export interface PromptsParts extends Pick<Desk, "agent" | "host" | "view" | "fail"> {
  readonly commands: SlashCommands;
  readonly shell: ShellLine;
  readonly editor: PromptEditor;
}

/** Where text goes that was typed, or that an extension typed: a command, a shell line, or a prompt. */
export class Prompts {
  readonly #parts: PromptsParts;

  constructor(parts: PromptsParts) {
    this.#parts = parts;
  }

  /**
   * Text of several lines is a prompt, however it begins, and never runs as a command. That is decided by the text and not by how
   * it came here, since a paste also comes back from the history, from the queue and from another editor.
   */
  enter(text: string): void {
    const { commands, shell, view, fail } = this.#parts;
    if (!text.trim().includes("\n")) {
      const slash = parseSlash(text);
      if (slash !== undefined && commands.has(slash.name)) {
        view.toEnd();
        void commands.run(slash.name, slash.args);
        return;
      }
      if (slash !== undefined && !slash.name.includes("/")) {
        this.#unknownCommand(slash.name, text);
        return;
      }
      if (text.startsWith("!")) {
        if (/^!!?\s*$/.test(text)) {
          fail("! runs a line in a shell, for example !git status");
          return;
        }
        this.#movedOn();
        void shell.run(text.slice(1).trim());
        return;
      }
    }
    void this.prompt(text);
  }

  /** Whether it is a command that does nothing without more behind it. */
  isUnfinished(text: string): boolean {
    const slash = parseSlash(text);
    return slash !== undefined && slash.args === "" && this.#parts.commands.needsMore(slash.name);
  }

  /** Says it to the model, now or when the running turn lets it. Resolves at the end of its turn. */
  async prompt(text: string): Promise<void> {
    this.#movedOn();
    this.#tell(await this.#parts.agent.prompt([{ type: "text", text }], "steer"));
  }

  /** Goes on with the prompts that wait while nothing runs. */
  async resume(): Promise<void> {
    const end = await this.#parts.agent.resume();
    if (end !== undefined) this.#tell(end);
  }

  #tell(end: PromptEnd): void {
    if (end.kind === "failed") this.#parts.fail(end.error.message);
  }

  /** Notes of extensions have had their time. */
  #movedOn(): void {
    const { host, view } = this.#parts;
    host.chrome.notes.dismiss();
    view.toEnd();
  }

  /** What was typed must not be lost. */
  #unknownCommand(name: string, text: string): void {
    const { agent, editor, fail } = this.#parts;
    const advice = agent.held ? "extensions are still starting" : "/help lists what there is";
    fail(`there is no command /${name}; ${advice}`);
    editor.setText(text);
  }

  /** Takes the last waiting prompt back; undefined when none waits. */
  takeBackLast(): string | undefined {
    const { agent } = this.#parts;
    const last = agent.queue.waiting.at(-1);
    const taken = last === undefined ? undefined : agent.withdraw(last.id);
    return taken === undefined ? undefined : contentText(taken.content);
  }
}
