import { within } from "./deadline.ts";
import { Dialogs } from "./dialogs.ts";
import { Dispatcher } from "./dispatcher.ts";
import { encodeFrame } from "./encode.ts";
import { messageOf, SdkError } from "./error.ts";
import { type IncomingFrame, type OutgoingFrame, parseFrame } from "./frames.ts";
import { type HostInfo, readHostInfo } from "./host-info.ts";
import { openChannel } from "./io/channel.ts";
import {
  FLUSH_DEADLINE_MS,
  HELD_FRAMES_MAX,
  HELLO_ACK_DEADLINE_MS,
  LINE_PREVIEW_CHARS,
  ON_HELLO_DEADLINE_MS,
  SETTLE_DEADLINE_MS,
  SHUTDOWN_DEADLINE_MS,
} from "./limits.ts";
import { readLines } from "./lines.ts";
import { logLine } from "./log.ts";
import { Outbound, type Overflow } from "./outbound.ts";
import type { Announced, Registrations } from "./registrations.ts";

/** What hello says. */
export interface Identity {
  readonly name: string;
  readonly version: string;
  readonly protocol: 1 | 2;
}

/** `registering` begins with hello_ack and ends with ready. */
type Stage = "new" | "greeting" | "registering" | "ready";

/** The link to the host: a handshake in the canonical order (extension-host.md §2.2), and an end that loses nothing. */
export class Connection {
  readonly dialogs: Dialogs;
  readonly #identity: Identity;
  readonly #registrations: Registrations;
  /** Lines that wait for hello_ack. */
  readonly #held: string[] = [];
  #stage: Stage = "new";
  #host: HostInfo | undefined;
  #outbound: Outbound | undefined;
  #dispatcher: Dispatcher | undefined;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #end: Promise<never> | undefined;

  constructor(identity: Identity, registrations: Registrations) {
    this.#identity = identity;
    this.#registrations = registrations;
    this.dialogs = new Dialogs(
      (frame, overflow) => this.send(frame, overflow),
      () => this.host,
    );
  }

  /** Throws `SdkError` "usage" before hello_ack. */
  get host(): HostInfo {
    if (this.#host !== undefined) return this.#host;
    throw new SdkError("usage", "the host is known from hello_ack on: read ext.host inside a handler or onHello");
  }

  /** Whether the host named `feature` in hello_ack; false before that. */
  offers(feature: string): boolean {
    return this.#host?.features.includes(feature) === true;
  }

  /** Sends a frame, or keeps it for hello_ack. Throws `SdkError`, and `TypeError` for what JSON cannot hold. */
  send(frame: OutgoingFrame, overflow: Overflow): void {
    const line = encodeFrame(frame);
    if (this.#isGreeted()) this.#outbound?.send(line, overflow);
    else if (this.#held.length < HELD_FRAMES_MAX) this.#held.push(line);
    else throw new SdkError("too_many", `${HELD_FRAMES_MAX} frames are waiting for hello_ack already`);
  }

  /** Tells the host of what was registered after hello_ack; what came earlier goes out with the rest. */
  announce({ announcement, feature }: Announced): void {
    if (!this.#isGreeted()) return;
    if (feature === undefined || this.offers(feature)) {
      this.#outbound?.send(announcement, "keep");
      return;
    }
    const what = announcement.slice(0, LINE_PREVIEW_CHARS).trim();
    logLine(`this host does not offer ${feature}; going on without: ${what}`);
  }

  /** Tells the host of all subscriptions. They are additive, so repeating some does no harm (extension-host.md §2.6). */
  subscribe(): void {
    const frame = this.#registrations.subscription();
    if (this.#stage === "ready" && frame !== undefined) this.send(frame, "keep");
  }

  /** Talks to the host until it leaves, then ends the process. Throws `SdkError` "usage" when called twice. */
  async run(): Promise<never> {
    if (this.#stage !== "new") throw new SdkError("usage", "ext.run() was called already");
    this.#stage = "greeting";
    const channel = openChannel();
    this.#outbound = new Outbound(channel, () => void this.exit(0));
    this.#outbound.send(encodeFrame(this.#hello()), "keep");
    this.#ackTimer = setTimeout(() => this.#noAck(), HELLO_ACK_DEADLINE_MS);
    try {
      for await (const line of readLines(channel.read(), onTooLong)) this.#receive(line);
    } catch (error) {
      logLine("reading from the host failed", error);
    }
    return await this.exit(0);
  }

  /** Ends the process with `code` once handlers have had their moment and everything sent has left. */
  exit(code: number): Promise<never> {
    this.#end ??= this.#leave(code);
    return this.#end;
  }

  #isGreeted(): boolean {
    return this.#stage === "registering" || this.#stage === "ready";
  }

  #hello(): OutgoingFrame {
    const { name, version, protocol } = this.#identity;
    return {
      type: "hello",
      // Hosts of protocol 1 are older than the field.
      protocol_version: protocol === 2 ? 2 : undefined,
      name,
      version,
      capabilities: this.#registrations.capabilities(),
    };
  }

  #noAck(): void {
    logLine(`no hello_ack within ${HELLO_ACK_DEADLINE_MS / 1000} s; an extension is started by zot, try: zot --ext .`);
    void this.exit(1);
  }

  #receive(line: string): void {
    let frame: IncomingFrame;
    try {
      frame = parseFrame(line);
    } catch (error) {
      logLine(`bad frame from the host (${messageOf(error)}): ${line.slice(0, LINE_PREVIEW_CHARS)}`);
      return;
    }
    if (this.#end !== undefined) return;
    if (frame.type === "shutdown") this.#shutdown();
    else if (this.#dispatcher !== undefined) this.#dispatcher.dispatch(frame, line);
    else if (frame.type === "hello_ack") this.#greet(readHostInfo(frame));
  }

  #shutdown(): void {
    if (this.#isGreeted()) this.send({ type: "shutdown_ack" }, "keep");
    void this.exit(0);
  }

  #greet(host: HostInfo): void {
    clearTimeout(this.#ackTimer);
    if (this.#identity.protocol === 2 && host.protocolVersion !== 2) {
      logLine(`the host speaks protocol ${host.protocolVersion}, this extension needs 2`);
      void this.exit(1);
      return;
    }
    this.#host = host;
    this.#stage = "registering";
    const { dialogs } = this;
    const registrations = this.#registrations;
    this.#dispatcher = new Dispatcher({
      registrations,
      dialogs,
      host,
      send: (frame, overflow) => this.send(frame, overflow),
    });
    for (const announced of registrations.announced()) this.announce(announced);
    for (const line of this.#held.splice(0)) this.#outbound?.send(line, "keep");
    void this.#becomeReady(host);
  }

  async #becomeReady(host: HostInfo): Promise<void> {
    for (const handler of this.#registrations.onHello) {
      await guarded("onHello", ON_HELLO_DEADLINE_MS, () => handler(host));
    }
    if (this.#end !== undefined) return;
    this.#stage = "ready";
    this.subscribe();
    this.send({ type: "ready" }, "keep");
  }

  async #leave(code: number): Promise<never> {
    const farewells = this.#registrations.onShutdown.map((handler) =>
      guarded("onShutdown", SHUTDOWN_DEADLINE_MS, handler),
    );
    await Promise.all([this.#dispatcher?.close(SETTLE_DEADLINE_MS), ...farewells]);
    const flushed = await within(FLUSH_DEADLINE_MS, this.#outbound?.flushed() ?? Promise.resolve());
    if (!flushed) logLine(`the host did not read our last frames within ${FLUSH_DEADLINE_MS / 1000} s`);
    // Timers, sockets and children of the author's may be alive: they do not keep an extension whose host is gone.
    process.exit(code);
  }
}

async function guarded(what: string, ms: number, handler: () => unknown): Promise<void> {
  try {
    const work = (async () => await handler())();
    if (!(await within(ms, work))) logLine(`${what} took more than ${ms / 1000} s; going on without it`);
  } catch (error) {
    logLine(`${what} failed`, error);
  }
}

function onTooLong(bytes: number): void {
  logLine(`skipped a frame of ${bytes} bytes from the host`);
}
