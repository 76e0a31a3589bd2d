import type { Dialect } from "../wire/dialect.ts";
import type { SessionContext } from "../wire/frames.ts";
import { GONE_GRACE_MS, STOP_WRITE_BUDGET_MS } from "../wire/limits.ts";
import type { LineReader } from "../wire/line-reader.ts";
import type { Hello } from "../wire/schemas.ts";
import { CallClock } from "./connection/call-clock.ts";
import { Connection, type FrameTable } from "./connection/connection.ts";
import { acknowledge, readHello, watchForSilence } from "./connection/handshake.ts";
import type { IdSource } from "./connection/ids.ts";
import type { Timers } from "./connection/timers.ts";
import { type LinkFault, StdioTransport } from "./connection/transport.ts";
import { Diagnostics } from "./diagnostics.ts";
import { HostError } from "./error.ts";
import type { Candidate, Scope } from "./launch/discovery.ts";
import { launch } from "./launch/launch.ts";
import { ExtensionLog, type LogEntry } from "./launch/log.ts";
import type { Manifest } from "./launch/manifest.ts";
import type { ExtensionProcess } from "./launch/process.ts";
import { type BundledSkill, bundledSkills } from "./launch/skills.ts";
import { raceTimeout } from "./race.ts";

/** `found → starting → registering → ready → stopping → gone`; any state may go straight to `gone`. */
export type ExtensionState = "found" | "starting" | "registering" | "ready" | "stopping" | "gone";

/** How it came to be ready: by its own word, by falling silent, or because nobody waits for ever (§2.5). */
export type Readiness = "explicit" | "auto" | "timeout";

/** What an extension needs from the host that runs it. */
export interface ExtensionWorld {
  readonly home: string;
  /** Absolute project directory. */
  readonly cwd: string;
  readonly version: string;
  /** The environment to hand down, before what is private to us is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sourceRunner: readonly [string, ...string[]];
  /** ms; nobody's hello is waited for longer, whatever its program. */
  readonly helloDeadlineCapMs: number;
  readonly ids: IdSource;
  /** What its hello and the calls to it are measured by. */
  readonly timers: Timers;
  /** The current model, asked anew at every start (defect 9). */
  model(): { readonly provider: string; readonly model: string };
  /** The conversation that is open, when there is one. */
  session(): SessionContext | undefined;
  frames(extension: Extension): FrameTable;
  /** It has become ready, in whichever way; told again when it says so itself after that. */
  ready(extension: Extension): void;
  /** It was told to stop: nothing of it that waits for an answer can get one any more. */
  leaving(extension: Extension): void;
  /** Its link has ended: all that it brought is void from here on (§7.3). */
  gone(extension: Extension): void;
  /** It ended without being told to, as `exit` says. */
  crashed(extension: Extension, exit: string): void;
}

export type ExtensionStart = Pick<Extension, "generation" | "isReload">;

/** One extension, from a manifest to the end of its process group. */
export class Extension {
  readonly name: string;
  readonly manifest: Manifest;
  readonly dir: string;
  readonly scope: Scope;
  readonly loadIndex: number;
  /** Which start of this name it is: what belongs to an older one never touches what belongs to a newer one. */
  readonly generation: number;
  /** Whether it was started by a reload, so that it finds everything going on already. */
  readonly isReload: boolean;
  readonly diagnostics: Diagnostics;
  /** Measures the calls to it. */
  readonly clock: CallClock;
  readiness: Readiness | undefined;
  hello: Hello | undefined;
  dialect: Dialect = 1;
  /** From spawn to ready, in ms. */
  startMs: number | undefined;
  #skills: readonly BundledSkill[] = [];
  #state: ExtensionState = "found";
  readonly #world: ExtensionWorld;
  readonly #settled = Promise.withResolvers<void>();
  #log: ExtensionLog | undefined;
  #process: ExtensionProcess | undefined;
  #transport: StdioTransport | undefined;
  #lines: LineReader | undefined;
  #connection: Connection | undefined;
  #life: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #lost = false;
  #startedAt = 0;

  constructor(candidate: Candidate & { readonly manifest: Manifest }, start: ExtensionStart, world: ExtensionWorld) {
    this.name = candidate.manifest.name;
    this.manifest = candidate.manifest;
    this.dir = candidate.dir;
    this.scope = candidate.scope;
    this.loadIndex = candidate.loadIndex;
    this.generation = start.generation;
    this.isReload = start.isReload;
    this.#world = world;
    this.clock = new CallClock(world.timers);
    this.diagnostics = new Diagnostics({ line: (text) => this.#log?.line(text) });
  }

  get state(): ExtensionState {
    return this.#state;
  }

  /** What it ships while it is up; files, so a process that has ended took them along with the rest (§7.3). */
  get skills(): readonly BundledSkill[] {
    return this.#state === "registering" || this.#state === "ready" ? this.#skills : [];
  }

  get logPath(): string | undefined {
    return this.#log?.path;
  }

  /** The live link, while calls can be made. */
  get connection(): Connection | undefined {
    return this.#state === "registering" || this.#state === "ready" ? this.#connection : undefined;
  }

  /** Whether a process stands behind it; themes and skills need none (§1.3, §1.4). */
  get hasProcess(): boolean {
    return this.manifest.exec !== "";
  }

  /** Why the link broke, when it did not simply end. */
  get fault(): string | undefined {
    return this.#connection?.fault;
  }

  /** A structured line in its own log. */
  log(entry: LogEntry): void {
    this.#log?.entry(entry);
  }

  /** `exit status 3` or `signal: killed`, as soon as it is known but at most after `ms`. */
  async exitText(ms: number): Promise<string | undefined> {
    if (this.#process !== undefined) await raceTimeout(this.#process.exited, ms);
    return this.#process?.exitText;
  }

  /** Resolves when it is ready or gone, or after `ms`, when it counts as ready for want of a word from it (§2.5). */
  async waitReady(ms: number): Promise<void> {
    if (!(await raceTimeout(this.#settled.promise, ms))) return;
    this.diagnostics.add("timed out waiting for ready frame", "timed out waiting for ready frame; proceeding");
    this.markReady("timeout");
  }

  /** Changes nothing for one that is ready already; its own word is passed on, for it may have subscribed since. */
  markReady(how: Readiness): void {
    if (this.#state === "ready" && how === "explicit") this.#world.ready(this);
    if (this.#state !== "registering") return;
    this.#state = "ready";
    this.readiness = how;
    this.startMs = performance.now() - this.#startedAt;
    this.#settled.resolve();
    this.#world.ready(this);
  }

  /**
   * Starts it, once; resolves when the handshake is done. Throws `HostError`: "stopped" when it was told to stop
   * meanwhile, else with the text of §1.1 or §2.3; either way it is gone.
   */
  async start(): Promise<void> {
    if (this.#state !== "found") throw stoppedEarly();
    this.#startedAt = performance.now();
    if (!this.hasProcess) {
      this.#readSkills();
      this.#state = "registering";
      this.markReady("explicit");
      return;
    }
    this.#state = "starting";
    try {
      await this.#connect();
    } catch (error) {
      // What went wrong with a handshake that a stop cut short is only that.
      const reason = this.#stopping === undefined ? error : stoppedEarly();
      this.#state = "gone";
      this.#settled.resolve();
      this.#ending ??= this.#process?.kill();
      await this.#ending;
      await this.#lines?.close();
      this.#log?.line(reason instanceof Error ? reason.message : String(reason));
      this.#log?.[Symbol.dispose]();
      throw reason;
    }
  }

  /**
   * The stop sequence of §7.2; resolves when nothing of it is left. Calling it again waits for the first call.
   * @param calls what becomes of calls in flight: during an exit their answers still count, a reload ends them at once
   */
  stop(graceMs: number, calls: "keep" | "fail" = "keep"): Promise<void> {
    this.#stopping ??= this.#stop(graceMs, calls);
    return this.#stopping;
  }

  async #stop(graceMs: number, calls: "keep" | "fail"): Promise<void> {
    if (this.#state === "gone") return this.#life ?? this.#ending;
    if (this.#state === "found") {
      this.#state = "gone";
      this.#settled.resolve();
      return undefined;
    }
    const startedAt = performance.now();
    this.#state = "stopping";
    this.#settled.resolve();
    this.#safely(() => this.#world.leaving(this));
    if (calls === "fail") this.#connection?.abandonCalls();
    this.#connection?.send("shutdown", {});
    await this.#transport?.closeInput(STOP_WRITE_BUDGET_MS);
    await this.#end(Math.max(0, graceMs - (performance.now() - startedAt)));
    await this.#life;
    this.#log?.[Symbol.dispose]();
    this.#state = "gone";
    // Without a handshake there was no read loop to say so.
    this.#lose();
  }

  async #connect(): Promise<void> {
    const { ids, helloDeadlineCapMs, timers, ...world } = this.#world;
    const log = ExtensionLog.open(world.home, this.name);
    this.#log = log;
    log.start(this.name, this.manifest.version);
    this.#readSkills();
    const { child, helloDeadlineMs } = launch(this.manifest, this.dir, log, world);
    const transport = new StdioTransport(child);
    const connection = new Connection(transport, this.diagnostics, ids, this.clock);
    transport.onBroken = (fault) => void this.#broken(fault);
    this.#process = child;
    this.#transport = transport;
    this.#connection = connection;

    const lines = transport.lines();
    this.#lines = lines;
    const deadlineMs = Math.min(helloDeadlineMs, helloDeadlineCapMs);
    const handshake = { lines, process: child, logPath: log.path, deadlineMs, timers, manifestName: this.name };
    const { hello, dialect } = await readHello(handshake);
    this.hello = hello;
    this.dialect = dialect;
    if (hello.name !== this.name)
      this.diagnostics.add(`hello name "${hello.name}" differs from the manifest name "${this.name}"`);
    // A stop may have come while it was still saying hello.
    if (this.#state !== "starting") throw stoppedEarly();
    const { cwd, version } = world;
    acknowledge(connection, dialect, {
      cwd,
      version,
      dir: this.dir,
      session: this.#world.session(),
      ...this.#world.model(),
    });
    this.#state = "registering";
    this.#life = this.#live(connection, lines);
  }

  async #live(connection: Connection, lines: LineReader): Promise<void> {
    const isOver = () => this.#state !== "registering";
    using _watcher = watchForSilence(connection, isOver, () => {
      this.diagnostics.add(
        "no ready frame; auto-ready after idle",
        "no ready frame; auto-readying after idle (legacy SDK?)",
      );
      this.markReady("auto");
    });
    await connection.run(lines, this.#world.frames(this));
    this.#log?.line(`extension ${this.name} read loop exited at ${new Date().toISOString()}`);
    await this.#ended();
  }

  /** Nothing more can be sent to it. One that is ending anyway is left to its end, with all that it still has to say. */
  async #broken({ reason, mayHaveSpoken }: LinkFault): Promise<void> {
    const process = this.#process;
    if (mayHaveSpoken && process !== undefined && !(await raceTimeout(process.exited, GONE_GRACE_MS))) return;
    if (this.#state === "stopping" || this.#state === "gone") return;
    this.diagnostics.add(`${reason}; disconnected`);
    this.#state = "gone";
    this.#settled.resolve();
    this.#connection?.disconnect(reason);
    this.#lose();
    // Ending the process ends its stdout, and with it the read loop, which does the rest.
    await this.#end(0);
  }

  /** Its stdout has ended: it is gone, whatever the process does (§7.3). */
  async #ended(): Promise<void> {
    this.#settled.resolve();
    const ordered = this.#state === "stopping";
    if (!ordered) this.#state = "gone";
    this.#lose();
    if (ordered) return;
    await this.#end(this.fault === undefined ? GONE_GRACE_MS : 0);
    const exit = this.#process?.exitText ?? "unknown status";
    this.diagnostics.add(`exited (${exit})`);
    this.#safely(() => this.#world.crashed(this, this.fault === undefined ? exit : `${exit}; ${this.fault}`));
    this.#log?.[Symbol.dispose]();
  }

  #readSkills(): void {
    const { skills, faults } = bundledSkills(this.dir, this.manifest.skills);
    this.#skills = skills;
    for (const fault of faults) this.diagnostics.add(fault);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#safely(() => this.#world.gone(this));
  }

  /** A defect of ours in what is shown at its end must not keep the process alive, nor end the agent. */
  #safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.diagnostics.add(`internal error at the end of the extension: ${String(error)}`);
    }
  }

  #end(graceMs: number): Promise<void> {
    this.#ending ??= this.#process?.end(graceMs);
    return this.#ending ?? Promise.resolve();
  }
}

function stoppedEarly(): HostError {
  return new HostError("stopped", "stopped before it had started");
}
