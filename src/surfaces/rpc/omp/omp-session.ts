import type { RpcEngine } from "../engine.ts";
import { faultText } from "../error.ts";
import { Catalogue } from "./catalogue.ts";
import { ClientShell } from "./client-shell.ts";
import type { OmpContext } from "./context.ts";
import { Conversation } from "./conversation.ts";
import { Lifecycle } from "./lifecycle.ts";
import { localCommands } from "./local-commands.ts";
import { MessageFacts } from "./message-facts.ts";
import { queueFields } from "./queued-text.ts";
import { RunFrames } from "./run-frames.ts";
import { SideQuestions } from "./side-questions.ts";
import { SlashCommands } from "./slash-commands.ts";

type Given = Pick<OmpContext, "engine" | "writer" | "gate" | "dialogs" | "surface" | "hostTools" | "hostUris">;

export interface OmpSessionOptions extends Given {
  readonly onDefect: (error: unknown) => void;
}

/** What one client works on, from the moment the agent is there. */
export class OmpSession {
  readonly context: OmpContext;
  readonly #engine: RpcEngine;

  constructor(options: OmpSessionOptions) {
    const { engine, writer, gate, surface, hostTools, onDefect } = options;
    const { agent, host } = engine;
    this.#engine = engine;
    const facts = new MessageFacts();
    const frames = new RunFrames({ gate, facts, resultFacts: (callId) => hostTools.factsOf(callId) });
    const lifecycle = new Lifecycle({ agent, writer, frames, facts, onDefect });
    const conversation = new Conversation(engine, facts);
    const local = localCommands({ engine, writer, conversation });
    const slash = new SlashCommands({ engine, writer, lifecycle, surface, local });
    this.context = {
      ...options,
      facts,
      lifecycle,
      conversation,
      slash,
      catalogue: new Catalogue(writer, slash, () => host.registry.revision),
      shell: new ClientShell(engine.cwd),
      aside: new SideQuestions({ engine, writer, leafId: () => conversation.leafId, onDefect }),
    };
    agent.listen((event) => {
      // Results have been told by the time a run is over.
      if (event.type === "done") hostTools.forgetFacts();
      if (event.type === "queue_changed") gate.emit("queue_update", queueFields(agent.queue));
    });
    // What the wire starts with (rpc-wire.md §2.1).
    agent.interrupts = true;
  }

  /** Says what there is before anything was asked. */
  announce(): void {
    const { writer, catalogue } = this.context;
    for (const { candidate, text } of this.#engine.host.loadErrors) {
      writer.event("extension_error", { extensionPath: candidate.dir, event: "load", error: text });
    }
    catalogue.announce();
  }

  /** Something is wrong with an extension: when its process has ended by itself, the client is told how. */
  extensionFailed(name: string): void {
    const extension = this.#engine.host.extensions.find((known) => known.name === name);
    const exit = extension?.diagnostics.entries.findLast((entry) => entry.startsWith("exited ("));
    if (extension?.state !== "gone" || exit === undefined) return;
    this.context.writer.event("extension_error", { extensionPath: extension.dir, event: "exit", error: exit });
  }

  /** An extension says something in the user's place. */
  submit(text: string): void {
    this.context.lifecycle.say([{ type: "text", text }], "follow_up");
  }

  /** An extension runs a slash command. */
  submitSlash(text: string): void {
    const { slash, writer } = this.context;
    if (slash.isExtensionCommand(text)) {
      void slash.runExtensionCommand(text, "follow_up");
      return;
    }
    const failed = (error: unknown): void => {
      writer.event("extension_error", { extensionPath: text.split(" ")[0], event: "command", error: faultText(error) });
    };
    slash.runLocal(text).then((isKnown) => {
      if (!isKnown) failed(new Error("there is no such command here"));
    }, failed);
  }

  /** Resolves when what the client asked for has been done; what it can no longer have is over. */
  async finish(): Promise<void> {
    const { shell, lifecycle, aside, catalogue } = this.context;
    await aside.end();
    await shell.idle();
    await lifecycle.idle();
    lifecycle.close();
    catalogue[Symbol.dispose]();
  }

  /** Ends what `finish` would wait for. */
  abandon(): void {
    const { shell, slash, aside, catalogue } = this.context;
    slash.abort();
    shell.abort();
    aside.cancel(undefined);
    catalogue[Symbol.dispose]();
    void this.#engine.agent.abort();
  }
}
