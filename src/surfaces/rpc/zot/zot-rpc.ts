import type { BuiltinTool } from "../../../agent/tools/tool.ts";
import { withUris } from "../../../agent/tools/uri.ts";
import type { ExtensionHost } from "../../../host/host.ts";
import type { FrameFields } from "../../../wire/encode.ts";
import { ClientDialogs } from "../client-dialogs.ts";
import { type Command, parseCommand } from "../command.ts";
import type { RpcDialect } from "../dialect.ts";
import type { RpcEngine } from "../engine.ts";
import { faultText, RpcError } from "../error.ts";
import { textField } from "../fields.ts";
import { COMMAND_LIMITS, EVENTS_BEFORE_AUTH_MAX, ZOT_LINE_MAX_BYTES } from "../limits.ts";
import { PANEL_COMMANDS } from "../panel-commands.ts";
import { selectApprover } from "../select-approver.ts";
import { SerialQueue } from "../serial-queue.ts";
import { encodeLine } from "../transport/encode-line.ts";
import type { InputLine } from "../transport/input.ts";
import { helloOf, promptOf } from "./fields.ts";
import { QUERIES } from "./queries.ts";
import { isToken, type Token } from "./token.ts";
import { ZotJobs } from "./zot-jobs.ts";
import { ZotSurface } from "./zot-surface.ts";

export interface ZotRpcOptions {
  /** Takes one line for the client, at any time. */
  readonly write: (line: string) => void;
  readonly token: Token;
  /** The client showed a wrong token: the process ends with status 1. */
  readonly refuse: () => void;
  /** A defect of ours, for a human. */
  readonly onDefect: (error: unknown) => void;
}

interface Running {
  readonly engine: RpcEngine;
  readonly jobs: ZotJobs;
}

/** The line protocol of extension-host.md §7.9: the events of `--json`, one prompt at a time, no sessions. */
export class ZotRpc implements RpcDialect {
  readonly lineLimit = ZOT_LINE_MAX_BYTES;
  readonly surface: ZotSurface;
  readonly approver;
  readonly #options: ZotRpcOptions;
  readonly #dialogs: ClientDialogs;
  readonly #commands: SerialQueue;
  /** Prompts, and what must not meet a running one (defect 42). */
  readonly #jobs: SerialQueue;
  #authorised: boolean;
  #running: Running | undefined;
  /** What extensions showed before anybody may read it; undefined once it was said. */
  #early: string[] | undefined = [];

  constructor(options: ZotRpcOptions) {
    this.#options = options;
    this.#authorised = options.token === undefined;
    const show = (type: string, fields: FrameFields): boolean => {
      this.#show(encodeLine(type, fields));
      return true;
    };
    this.#dialogs = new ClientDialogs(show);
    this.surface = new ZotSurface(show, this.#dialogs);
    this.approver = selectApprover(this.#dialogs, () => this.surface.features.ui);
    const { onDefect } = options;
    this.#commands = new SerialQueue(COMMAND_LIMITS, { open: false, onDefect });
    this.#jobs = new SerialQueue(COMMAND_LIMITS, { open: true, onDefect });
  }

  tools(builtins: readonly BuiltinTool[], { uris }: Pick<ExtensionHost, "uris">): readonly BuiltinTool[] {
    return withUris(builtins, uris);
  }

  /** The client brings none along. */
  guests(): readonly BuiltinTool[] {
    return [];
  }

  /** The client speaks first. */
  greet(): void {
    return;
  }

  receive(line: InputLine): Promise<void> | undefined {
    if (line.kind === "too_long") {
      this.#malformed(`the line is longer than ${this.lineLimit} bytes`);
      return undefined;
    }
    const text = line.text.trim();
    if (text === "") return undefined;
    const parsed = parseCommand(text);
    if (parsed.kind !== "command") {
      this.#malformed(parsed.detail);
      return undefined;
    }
    const { command } = parsed;
    if (command.type === "extension_ui_response" && this.#authorised && this.#dialogs.answer(command.fields)) {
      return undefined;
    }
    // While a dialog is open its answer may be the next line, so reading never stops then.
    if (this.#commands.isFull && this.#dialogs.isWaiting) {
      this.#fail(command, "too many commands are waiting already");
      return undefined;
    }
    this.#commands.add(() => this.#run(command), command.size);
    return this.#commands.isFull && !this.#dialogs.isWaiting ? this.#commands.room() : undefined;
  }

  /** There is no frame for it; it is told on stderr. */
  warn(): void {
    return;
  }

  start(engine: RpcEngine): void {
    // A bare event: there is no session that an extension could come back to (extension-host.md §6.1).
    engine.host.sessions.emit("session_start", undefined);
    this.#running = { engine, jobs: new ZotJobs(engine, this.#options.write) };
    if (this.#authorised) this.#showEarly();
    this.#commands.open();
  }

  async finish(): Promise<void> {
    this.#dialogs.clientGone();
    await this.#commands.idle();
    await this.#jobs.idle();
  }

  abandon(): void {
    this.#dialogs.clientGone();
    this.#commands.clear();
    this.#jobs.clear();
    this.#running?.jobs.abort();
  }

  async #run(command: Command): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    if (command.type === "hello") return this.#greeted(command, running.engine);
    if (!this.#authorised) return this.#fail(command, "auth required: send hello with token first");
    try {
      const data = await this.#carryOut(command, running);
      if (data !== "later") this.#succeed(command, data);
    } catch (error) {
      this.#fail(command, faultText(error));
    }
  }

  #carryOut(command: Command, running: Running): Promise<object | undefined> | object | undefined | "later" {
    const { engine, jobs } = running;
    switch (command.type) {
      case "abort":
        jobs.abort();
        return undefined;
      case "prompt": {
        const content = promptOf(command);
        return this.#later(command, async () => {
          this.#succeed(command, { started: true });
          await jobs.prompt(content);
        });
      }
      case "compact":
        return this.#later(command, async () => {
          this.#succeed(command, { started: true });
          await jobs.compact();
        });
      case "clear":
        return this.#later(command, async () => {
          await engine.agent.clear();
          this.#succeed(command, undefined);
        });
      case "set_model": {
        const id = textField(command, "model");
        return this.#later(command, () => this.#setModel(command, id, engine));
      }
      default:
        return this.#answer(command, engine);
    }
  }

  #answer(command: Command, engine: RpcEngine): Promise<object | undefined> | object | undefined {
    const query = QUERIES.get(command.type);
    if (query !== undefined) return query(engine, command);
    const act = this.surface.features.panels ? PANEL_COMMANDS.get(command.type) : undefined;
    if (act === undefined) throw new RpcError("unknown command");
    act(engine.host.panels, command);
    return undefined;
  }

  #later({ size }: Command, job: () => Promise<void>): "later" {
    if (this.#jobs.isFull) throw new RpcError("too many prompts wait already");
    this.#jobs.add(job, size);
    return "later";
  }

  async #setModel(command: Command, id: string, { agent, models }: RpcEngine): Promise<void> {
    try {
      agent.setModel(await models.open(agent.model.provider, id));
      this.#succeed(command, { model: agent.model.id });
    } catch (error) {
      this.#fail(command, faultText(error));
    }
  }

  #greeted(command: Command, { agent, version }: RpcEngine): void {
    try {
      const { token, features } = helloOf(command);
      const wanted = this.#options.token;
      if (wanted !== undefined && !isToken(wanted, token)) {
        this.#fail(command, "invalid token");
        this.#options.refuse();
        return;
      }
      this.#authorised = true;
      this.surface.features = { panels: features.includes("panels"), ui: features.includes("ui") };
      const { provider, id: model } = agent.model;
      this.#succeed(command, { protocol_version: 1, version, provider, model, features: ["panels", "ui"] });
      this.#showEarly();
    } catch (error) {
      this.#fail(command, faultText(error));
    }
  }

  /** What extensions show waits for the client to have the right to see it (§3.4). */
  #show(line: string): void {
    if (this.#early === undefined) this.#options.write(line);
    else if (this.#early.length < EVENTS_BEFORE_AUTH_MAX) this.#early.push(line);
  }

  #showEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const line of early) this.#options.write(line);
  }

  #malformed(detail: string): void {
    this.#respond({ command: "", success: false, error: `malformed json: ${detail}` });
  }

  #succeed({ type, id }: Command, data: object | undefined): void {
    this.#respond({ id: id === "" ? undefined : id, command: type, success: true, data });
  }

  #fail({ type, id }: Command, error: string): void {
    this.#respond({ id: id === "" ? undefined : id, command: type, success: false, error });
  }

  #respond(fields: Readonly<Record<string, unknown>>): void {
    this.#options.write(encodeLine("response", fields));
  }
}
