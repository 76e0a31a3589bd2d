import { type Dialect, versionKey } from "../wire/dialect.ts";
import { AUTO_READY_IDLE_MS, GONE_GRACE_MS, STOP_WRITE_BUDGET_MS } from "../wire/limits.ts";
import type { Hello } from "../wire/schemas.ts";
import { Connection, type FrameTable } from "./connection/connection.ts";
import { readHello } from "./connection/handshake.ts";
import type { IdSource } from "./connection/ids.ts";
import { StdioTransport } from "./connection/transport.ts";
import { Diagnostics } from "./diagnostics.ts";
import { HostError } from "./error.ts";
import type { Candidate, Scope } from "./launch/discovery.ts";
import { explainSpawnError, type Launch, resolveExec } from "./launch/exec.ts";
import { ExtensionLog } from "./launch/log.ts";
import { isFile, type Manifest } from "./launch/manifest.ts";
import { ExtensionProcess } from "./launch/process.ts";
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
  /** The current model, asked anew at every start (defect 9). */
  model(): { readonly provider: string; readonly model: string };
  frames(extension: Extension): FrameTable;
  /** Its registrations are void from here on. `exit` is undefined for an ordered stop. */
  gone(extension: Extension, exit: string | undefined): void;
}

/** One extension, from a manifest to the end of its process group. */
export class Extension {
  readonly name: string;
  readonly manifest: Manifest;
  readonly dir: string;
  readonly scope: Scope;
  readonly loadIndex: number;
  /** Which start of this name it is: what belongs to an older one never touches what belongs to a newer one. */
  readonly generation: number;
  readonly diagnostics: Diagnostics;
  readiness: Readiness | undefined;
  hello: Hello | undefined;
  dialect: Dialect = 1;
  /** From spawn to ready, in ms. */
  startMs: number | undefined;
  #state: ExtensionState = "found";
  readonly #world: ExtensionWorld;
  readonly #settled = Promise.withResolvers<void>();
  #log: ExtensionLog | undefined;
  #process: ExtensionProcess | undefined;
  #transport: StdioTransport | undefined;
  #connection: Connection | undefined;
  #life: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #startedAt = 0;

  constructor(candidate: Candidate & { readonly manifest: Manifest }, generation: number, world: ExtensionWorld) {
    this.name = candidate.manifest.name;
    this.manifest = candidate.manifest;
    this.dir = candidate.dir;
    this.scope = candidate.scope;
    this.loadIndex = candidate.loadIndex;
    this.generation = generation;
    this.#world = world;
    this.diagnostics = new Diagnostics({ line: (text) => this.#log?.line(text) });
  }

  get state(): ExtensionState {
    return this.#state;
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

  markReady(how: Readiness): void {
    if (this.#state !== "registering") return;
    this.#state = "ready";
    this.readiness = how;
    this.startMs = performance.now() - this.#startedAt;
    this.#settled.resolve();
  }

  /** Starts it; resolves once the handshake is done. Throws `HostError` with the text of §1.1 or §2.3; then it is gone. */
  async start(): Promise<void> {
    this.#startedAt = performance.now();
    if (!this.hasProcess) {
      this.#state = "registering";
      this.markReady("explicit");
      return;
    }
    this.#state = "starting";
    try {
      await this.#connect();
    } catch (error) {
      this.#state = "gone";
      this.#settled.resolve();
      await (this.#ending ?? this.#process?.kill());
      this.#log?.line(error instanceof Error ? error.message : String(error));
      this.#log?.[Symbol.dispose]();
      throw error;
    }
  }

  /** The stop sequence of §7.2; resolves when nothing of it is left. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state === "stopping" || this.#state === "gone" || this.#state === "found") return this.#ending;
    const startedAt = performance.now();
    this.#state = "stopping";
    this.#settled.resolve();
    this.#connection?.send("shutdown", {});
    await this.#transport?.closeInput(STOP_WRITE_BUDGET_MS);
    await this.#end(Math.max(0, graceMs - (performance.now() - startedAt)));
    await this.#life;
    this.#log?.[Symbol.dispose]();
    this.#state = "gone";
  }

  async #connect(): Promise<void> {
    const { home, env, sourceRunner, ids } = this.#world;
    const log = ExtensionLog.open(home, this.name);
    this.#log = log;
    log.start(this.name, this.manifest.version);
    const launch = resolveExec(this.manifest, { dir: this.dir, path: env["PATH"], sourceRunner });
    if (launch.note !== undefined) log.line(launch.note);

    const child = this.#spawn(launch, log);
    const transport = new StdioTransport(child);
    const connection = new Connection(transport, this.diagnostics, ids);
    transport.onBroken = (reason) => this.#broken(reason);
    this.#process = child;
    this.#transport = transport;
    this.#connection = connection;

    const lines = transport.lines();
    const deadlineMs = Math.min(launch.helloDeadlineMs, this.#world.helloDeadlineCapMs);
    const handshake = { lines, process: child, logPath: log.path, deadlineMs, manifestName: this.name };
    const { hello, dialect } = await readHello(handshake);
    this.hello = hello;
    this.dialect = dialect;
    if (hello.name !== this.name)
      this.diagnostics.add(`hello name "${hello.name}" differs from the manifest name "${this.name}"`);
    // A stop may have come while it was still saying hello.
    if (this.#state !== "starting") throw new HostError("handshake", "stopped while it was starting");
    this.#acknowledge(connection, dialect);
    this.#state = "registering";
    this.#life = this.#live(connection, lines);
  }

  #spawn(launch: Launch, log: ExtensionLog): ExtensionProcess {
    const { home, env } = this.#world;
    const fail = (text: string, cause?: unknown): HostError =>
      new HostError("spawn", `spawn (stderr log: ${log.path}): ${text}`, cause);
    const source = launch.argv[this.#world.sourceRunner.length];
    if (launch.ownRuntime && source !== undefined && !isFile(source)) throw fail(`${source}: no such file`);
    try {
      return new ExtensionProcess({
        argv: launch.argv,
        cwd: this.dir,
        env: { ...env, ZOT_HOME: env["ZOT_HOME"] ?? home, ZUT_HOME: env["ZUT_HOME"] ?? home },
        stderrFd: log.fd,
        dieWithParent: launch.ownRuntime,
      });
    } catch (error) {
      throw fail(explainSpawnError(launch.argv[0], error), error);
    }
  }

  #acknowledge(connection: Connection, dialect: Dialect): void {
    const { cwd, version } = this.#world;
    connection.send("hello_ack", {
      protocol_version: dialect,
      [versionKey(dialect)]: version,
      ...this.#world.model(),
      cwd,
      extension_dir: this.dir,
      data_dir: this.dir,
    });
  }

  async #live(connection: Connection, lines: AsyncGenerator<string, void, undefined>): Promise<void> {
    const autoReady = this.#watchForSilence(connection);
    try {
      await connection.run(lines, this.#world.frames(this));
    } finally {
      clearInterval(autoReady);
    }
    this.#log?.line(`extension ${this.name} read loop exited at ${new Date().toISOString()}`);
    await this.#ended();
  }

  /** Every sample without a new frame since the last one means ready (§2.5). */
  #watchForSilence(connection: Connection): NodeJS.Timeout {
    let seen = connection.framesRead;
    const timer = setInterval(() => {
      if (this.#state !== "registering") {
        clearInterval(timer);
      } else if (connection.framesRead === seen) {
        this.diagnostics.add(
          "no ready frame; auto-ready after idle",
          "no ready frame; auto-readying after idle (legacy SDK?)",
        );
        this.markReady("auto");
      }
      seen = connection.framesRead;
    }, AUTO_READY_IDLE_MS);
    return timer;
  }

  #broken(reason: string): void {
    if (this.#state === "stopping" || this.#state === "gone") return;
    this.diagnostics.add(`${reason}; disconnected`);
    this.#connection?.disconnect(reason);
    // Ending the process ends its stdout, and with it the read loop, which does the rest.
    void this.#end(0);
  }

  /** Its stdout has ended: it is gone, whatever the process does (§7.3). */
  async #ended(): Promise<void> {
    this.#settled.resolve();
    if (this.#state === "stopping") {
      this.#world.gone(this, undefined);
      return;
    }
    this.#state = "gone";
    await this.#end(this.fault === undefined ? GONE_GRACE_MS : 0);
    const exit = this.#process?.exitText ?? "unknown status";
    this.diagnostics.add(`exited (${exit})`);
    this.#world.gone(this, this.fault === undefined ? exit : `${exit}; ${this.fault}`);
    this.#log?.[Symbol.dispose]();
  }

  #end(graceMs: number): Promise<void> {
    this.#ending ??= this.#process?.end(graceMs);
    return this.#ending ?? Promise.resolve();
  }
}
