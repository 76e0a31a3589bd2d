import type { Agent, PromptEnd } from "../../agent/agent.ts";
import { parseSlash } from "../../host/contributions/commands.ts";
import type { SlashCommands } from "./commands/slash-commands.ts";
import { contentText } from "./transcript/conversation.ts";

export interface PromptsOptions {
  readonly agent: Agent;
  readonly commands: SlashCommands;
  /** Runs one line in a shell. */
  shell(line: string): void;
  /** The user moved on: notes of extensions have had their time. */
  movedOn(): void;
  failed(text: string): void;
  /** What was typed looks like a command and is none; it must not be lost. */
  unknownCommand(name: string, text: string): void;
}

/** Where text goes that was typed, or that an extension typed: a command, a shell line, or a prompt. */
export class Prompts {
  readonly #options: PromptsOptions;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** @param isLiteral it is a prompt, whatever it starts with */
  enter(text: string, isLiteral: boolean): void {
    const { commands, shell, movedOn } = this.#options;
    if (!isLiteral) {
      const slash = parseSlash(text);
      if (slash !== undefined && commands.has(slash.name)) {
        void commands.run(slash.name, slash.args);
        return;
      }
      if (slash !== undefined && !slash.name.includes("/")) {
        this.#options.unknownCommand(slash.name, text);
        return;
      }
      if (text.startsWith("!") && text.length > 1) {
        movedOn();
        shell(text.slice(1).trim());
        return;
      }
    }
    void this.prompt(text);
  }

  /** Says it to the model, now or when the running turn lets it. Resolves at the end of its turn. */
  async prompt(text: string): Promise<void> {
    const { agent, movedOn } = this.#options;
    movedOn();
    this.#tell(await agent.prompt([{ type: "text", text }], "steer"));
  }

  /** Goes on with the prompts that wait while nothing runs. */
  async resume(): Promise<void> {
    const end = await this.#options.agent.resume();
    if (end !== undefined) this.#tell(end);
  }

  #tell(end: PromptEnd): void {
    if (end.kind === "failed") this.#options.failed(end.error.message);
  }

  /** Takes the last waiting prompt back; undefined when none waits. */
  takeBackLast(): string | undefined {
    const { agent } = this.#options;
    const last = agent.queue.waiting.at(-1);
    const taken = last === undefined ? undefined : agent.withdraw(last.id);
    return taken === undefined ? undefined : contentText(taken.content);
  }
}
