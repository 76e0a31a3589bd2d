import type { Approver } from "../../../agent/approval.ts";
import type { BuiltinTool } from "../../../agent/tools/tool.ts";
import { type UriResolver, withUris } from "../../../agent/tools/uri.ts";
import type { ExtensionHost } from "../../../host/host.ts";
import type { AttachedSurface } from "../../../host/ports.ts";
import { SUBMITS_BEFORE_SURFACE_MAX } from "../../../wire/limits.ts";
import { HeadlessSurface } from "../../headless.ts";
import { ClientDialogs, type SendFrame } from "../client-dialogs.ts";
import { type Command, parseCommand } from "../command.ts";
import type { RpcDialect } from "../dialect.ts";
import type { RpcEngine } from "../engine.ts";
import { faultText, RpcError } from "../error.ts";
import { COMMAND_LIMITS, MAX_FRAME_BYTES, MAX_REASSEMBLED_BYTES, OMP_LINE_MAX_BYTES } from "../limits.ts";
import { selectApprover } from "../select-approver.ts";
import { SerialQueue } from "../serial-queue.ts";
import type { InputLine } from "../transport/input.ts";
import { ANSWERED, fail, type OmpContext, succeed } from "./context.ts";
import { EventGate } from "./event-gate.ts";
import { FrameWriter } from "./frame-writer.ts";
import { HANDLERS } from "./handlers.ts";
import { HostTools } from "./host-tools.ts";
import { HostUris } from "./host-uris.ts";
import { OmpSession } from "./omp-session.ts";
import { OmpSurface } from "./omp-surface.ts";

export interface OmpRpcOptions {
  /** Takes one line for the client, at any time. */
  readonly write: (line: string) => void;
  /** The client has not read yet what was written before. */
  readonly isBehind: () => boolean;
  /** False with `--no-ui`: extensions show and ask nothing. */
  readonly showsUi: boolean;
  /** The client shows the title of its window (`PI_RPC_EMIT_TITLE`). */
  readonly showsTitle: boolean;
  /** A defect of ours, for a human. */
  readonly onDefect: (error: unknown) => void;
}

const TOO_MANY = "Too many commands are waiting already";

/** The omp wire (rpc-wire.md), from `ready` to the last frame. */
export class OmpRpc implements RpcDialect {
  readonly lineLimit = OMP_LINE_MAX_BYTES;
  readonly surface: AttachedSurface;
  readonly approver?: Approver;
  readonly #options: OmpRpcOptions;
  readonly #writer: FrameWriter;
  readonly #gate: EventGate;
  readonly #dialogs: ClientDialogs;
  readonly #hostTools: HostTools;
  readonly #hostUris: HostUris;
  readonly #ui: OmpSurface | undefined;
  readonly #commands: SerialQueue;
  #session: OmpSession | undefined;
  /** What extensions submit before there is a session to say it in. */
  #early: ((session: OmpSession) => void)[] = [];

  constructor(options: OmpRpcOptions) {
    this.#options = options;
    this.#writer = new FrameWriter(options.write);
    this.#gate = new EventGate(this.#writer, options.isBehind);
    const send: SendFrame = (type, fields) => this.#writer.request(type, fields);
    this.#dialogs = new ClientDialogs(send);
    this.#hostTools = new HostTools(send);
    this.#hostUris = new HostUris(send);
    this.#commands = new SerialQueue(COMMAND_LIMITS, { open: false, onDefect: options.onDefect });
    if (!options.showsUi) {
      this.surface = new HeadlessSurface(() => undefined);
      return;
    }
    this.#ui = new OmpSurface({
      events: this.#gate,
      dialogs: this.#dialogs,
      submit: (text) => this.#submit((session) => session.submit(text)),
      submitSlash: (text) => this.#submit((session) => session.submitSlash(text)),
      failed: (extension) => this.#session?.extensionFailed(extension),
      showsTitle: options.showsTitle,
    });
    this.surface = this.#ui;
    this.approver = selectApprover(this.#dialogs, () => true);
  }

  tools(builtins: readonly BuiltinTool[], { uris }: Pick<ExtensionHost, "uris">): readonly BuiltinTool[] {
    return withUris(builtins, firstOf(this.#hostUris, uris));
  }

  guests(): readonly BuiltinTool[] {
    return this.#hostTools.tools;
  }

  greet(): void {
    this.#writer.event("ready", {
      protocolVersion: 1,
      supportedProtocolVersions: [1, 2],
      maxFrameBytes: MAX_FRAME_BYTES,
      maxReassembledFrameBytes: MAX_REASSEMBLED_BYTES,
      supportsBashExcludeFromContext: true,
    });
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
      this.#malformed(parsed.detail, parsed.kind === "untyped" ? parsed.id : undefined);
      return undefined;
    }
    const { command } = parsed;
    if (this.#isAnswer(command)) return undefined;
    // While something of ours waits for the client, its answer may be the next line: reading never stops then.
    if (this.#commands.isFull && this.#waitsForClient) {
      fail(this.#writer, command, TOO_MANY);
      return undefined;
    }
    this.#commands.add(() => this.#run(command), command.size);
    return this.#commands.isFull && !this.#waitsForClient ? this.#commands.room() : undefined;
  }

  warn(message: string): void {
    this.#writer.event("notice", { level: "warning", message, source: "session-persistence" });
  }

  start(engine: RpcEngine): void {
    engine.agent.announce("session_start");
    const session = new OmpSession({
      engine,
      writer: this.#writer,
      gate: this.#gate,
      dialogs: this.#dialogs,
      surface: this.#ui,
      hostTools: this.#hostTools,
      hostUris: this.#hostUris,
      onDefect: this.#options.onDefect,
    });
    this.#session = session;
    session.announce();
    for (const submit of this.#early.splice(0)) submit(session);
    this.#commands.open();
  }

  async finish(): Promise<void> {
    this.#clientGone();
    await this.#commands.idle();
    await this.#session?.finish();
  }

  abandon(): void {
    this.#clientGone();
    this.#commands.clear();
    this.#session?.abandon();
  }

  get #waitsForClient(): boolean {
    return this.#dialogs.isWaiting || this.#hostTools.isWaiting || this.#hostUris.isWaiting;
  }

  /** Answers to our requests overtake everything; one without the shape of an answer is a command that is none. */
  #isAnswer({ type, fields }: Command): boolean {
    switch (type) {
      case "extension_ui_response":
        return this.#dialogs.answer(fields);
      case "host_tool_result":
        return this.#hostTools.result(fields);
      case "host_tool_update":
        return this.#hostTools.update(fields);
      case "host_uri_result":
        return this.#hostUris.result(fields);
      default:
        return false;
    }
  }

  async #run(command: Command): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const handler = HANDLERS.get(command.type);
    if (handler === undefined) {
      fail(this.#writer, command, `Unknown command: ${command.type}`);
      return;
    }
    await carryOut(() => handler(session.context, command), session.context, command, this.#options.onDefect);
  }

  #submit(submit: (session: OmpSession) => void): "done" | "unsupported" {
    if (this.#session !== undefined) submit(this.#session);
    else if (this.#early.length < SUBMITS_BEFORE_SURFACE_MAX) this.#early.push(submit);
    else return "unsupported";
    return "done";
  }

  #clientGone(): void {
    this.#dialogs.clientGone();
    this.#hostTools.clientGone();
    this.#hostUris.clientGone();
  }

  #malformed(detail: string, id?: unknown): void {
    this.#writer.response({ id, command: "parse", success: false, error: `Failed to parse command: ${detail}` });
  }
}

async function carryOut(
  handle: () => Promise<unknown> | unknown,
  { writer }: OmpContext,
  command: Command,
  onDefect: (error: unknown) => void,
): Promise<void> {
  try {
    const data = await handle();
    if (data !== ANSWERED) succeed(writer, command, data);
  } catch (error) {
    // Anything else is our fault, and must still be answered.
    if (!(error instanceof RpcError)) onDefect(error);
    fail(writer, command, faultText(error), error instanceof RpcError ? error.code : undefined);
  }
}

/** Whoever is asked first serves what both could. */
function firstOf(first: UriResolver, second: UriResolver): UriResolver {
  const resolverOf = (url: string): UriResolver => (first.has(url) ? first : second);
  return {
    get schemes() {
      return [...first.schemes, ...second.schemes];
    },
    has: (url) => first.has(url) || second.has(url),
    read: (url, signal) => resolverOf(url).read(url, signal),
    write: (url, content, signal) => resolverOf(url).write(url, content, signal),
  };
}
