import { Agent, type AgentOptions, type PromptEnd } from "../../../src/agent/agent.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import type { Session } from "../../../src/agent/session/session.ts";
import { SessionStore } from "../../../src/agent/session/store.ts";
import { builtinTools } from "../../../src/agent/tools/builtin.ts";
import { textOf } from "../../../src/llm/messages.ts";
import { openAt } from "../../llm/asking.ts";
import { HostWorld, type WorldOptions } from "../../support/host.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";

export interface AgentWorldOptions extends WorldOptions {
  readonly turns: readonly Script[];
  /** Writes the extensions, before any of them is started. */
  readonly extensions: (world: HostWorld) => void;
  readonly agent?: Partial<Pick<AgentOptions, "approval" | "approver" | "drained">>;
}

/** A real host with real children, a model behind a real socket and the agent between them, all in this process. */
export class AgentWorld implements AsyncDisposable {
  readonly extensions: HostWorld;
  readonly server: ModelServer;
  readonly agent: Agent;
  readonly sessions: SessionStore;
  /** Everything that the agent told its listeners. */
  readonly events: AgentEvent[] = [];
  /** The system prompt before extensions see it. */
  basePrompt = "the base prompt";

  private constructor(
    parts: { extensions: HostWorld; server: ModelServer; sessions: SessionStore },
    options: Pick<AgentOptions, "model" | "session"> & AgentWorldOptions["agent"],
  ) {
    this.extensions = parts.extensions;
    this.server = parts.server;
    this.sessions = parts.sessions;
    this.agent = new Agent({
      approval: "never",
      drained: () => undefined,
      ...options,
      host: this.extensions.host,
      builtins: builtinTools(),
      systemPrompt: () => this.basePrompt,
      cwd: this.extensions.cwd,
      maxSteps: 20,
    });
    this.agent.listen((event) => this.events.push(event));
  }

  /** Everything is up and the conversation has begun. */
  static async create({ turns, extensions, agent, ...world }: AgentWorldOptions): Promise<AgentWorld> {
    const server = await startModelServer(turns);
    const host = await HostWorld.create(world);
    const sessions = new SessionStore({ home: host.home, cwd: host.cwd, version: "1.2.3", warn: () => undefined });
    const model = await openAt(server, "openai");
    const session = sessions.create({ provider: model.provider, model: model.id });
    const made = new AgentWorld({ extensions: host, server, sessions }, { model, session, ...agent });
    extensions(host);
    await host.start();
    made.agent.announce("session_start");
    return made;
  }

  /** Says one prompt; resolves when nothing runs any more. */
  async say(text: string): Promise<PromptEnd> {
    const end = await this.agent.prompt([{ type: "text", text }]);
    await this.agent.settled();
    return end;
  }

  /** The texts of all tool results in the open conversation, in their order. */
  get results(): { readonly text: string; readonly isError: boolean }[] {
    return this.agent.session.messages.flatMap((message) => {
      return message.role === "tool"
        ? message.content.map((result) => ({ text: textOf(result, "\n"), isError: result.isError }))
        : [];
    });
  }

  /** Goes on with another conversation and closes the one before. */
  async open(session: Session): Promise<void> {
    const before = await this.agent.openSession(session);
    before.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.abort();
    this.agent.session.close();
    await this.extensions[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}
