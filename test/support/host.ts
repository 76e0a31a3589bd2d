import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Extension } from "../../src/host/extension.ts";
import { ExtensionHost, type HostOptions } from "../../src/host/host.ts";
import { RecordingSurface } from "./recording-surface.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";
import { until } from "./until.ts";
import { repoRoot } from "./zot.ts";

/** A frame that an extension has read. */
export type ReceivedFrame = Readonly<Record<string, unknown>>;

export interface WorldOptions {
  readonly surface?: RecordingSurface;
  /** Attach the surface by hand. */
  readonly detached?: boolean;
  readonly host?: Partial<Omit<HostOptions, "surface" | "home" | "cwd">>;
}

/**
 * What every Python extension of a test can use. Everything that it reads goes to `received.ndjson` before it is
 * handled. stdin is read through `frames()` only.
 */
const PRELUDE = `
import json, os, sys, threading, time
HERE = os.path.dirname(os.path.abspath(__file__))
NAME = os.path.basename(HERE)
_trace = open(os.path.join(HERE, "received.ndjson"), "a", buffering=1)
open(os.path.join(HERE, "pid"), "w").write(str(os.getpid()))

def raw(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def emit(type, **fields):
    raw(json.dumps({"type": type, **fields}) + "\\n")

def hello(**fields):
    emit("hello", **{"name": NAME, "version": "1.0.0", **fields})

def tool(name, **fields):
    emit("register_tool", **{"name": name, "description": name, "schema": {"type": "object", "properties": {}}, **fields})

def command(name, **fields):
    emit("register_command", **{"name": name, "description": name, **fields})

def ready():
    emit("ready")

def frames():
    for line in sys.stdin:
        _trace.write(line)
        frame = json.loads(line)
        if frame["type"] == "shutdown":
            sys.exit(0)
        yield frame

def idle():
    for frame in frames():
        pass

def result(frame, text, **fields):
    emit("tool_result", id=frame["id"], content=[{"type": "text", "text": text}], **fields)

def respond(frame, **fields):
    emit("command_response", id=frame["id"], **fields)

def puppet(*registrations, **fields):
    hello(**fields)
    command("do-" + NAME)
    for frame in registrations:
        emit(**frame)
    ready()
    for frame in frames():
        if frame["type"] == "command_invoked" and frame["name"] == "do-" + NAME:
            for wanted in json.loads(frame["args"]):
                emit(**wanted)
            respond(frame, action="noop")
`;

export interface PuppetOptions {
  readonly protocol?: 1 | 2;
  readonly capabilities?: readonly string[];
  /** Frames to send before ready. */
  readonly registrations?: readonly ReceivedFrame[];
  readonly root?: string;
}

/** A home, a project and a real host with real child processes, all gone at the end of the scope. */
export class HostWorld implements AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly surface: RecordingSurface;
  readonly host: ExtensionHost;
  readonly #dir: TempDir;

  private constructor(dir: TempDir, { surface = new RecordingSurface(), detached = false, host }: WorldOptions) {
    this.#dir = dir;
    this.home = join(dir.path, "home");
    this.cwd = join(dir.path, "project");
    mkdirSync(join(this.home, "extensions"), { recursive: true });
    mkdirSync(join(this.cwd, ".zot", "extensions"), { recursive: true });
    this.surface = surface;
    this.host = new ExtensionHost({
      explicit: [],
      scan: true,
      version: "1.2.3",
      env: { PATH: process.env["PATH"], HOME: dir.path },
      sourceRunner: [process.execPath, join(repoRoot, "src", "main.ts"), "__run-ext"],
      reserved: { commands: new Set(["help", "clear", "quit", "exit"]), tools: new Set(["read", "bash"]) },
      model: () => ({ provider: "offline", model: "rehearsal" }),
      ...host,
      home: this.home,
      cwd: this.cwd,
      ...(detached ? {} : { surface }),
    });
  }

  static async create(options: WorldOptions = {}): Promise<HostWorld> {
    return new HostWorld(await tempDir("zot-host-"), options);
  }

  /** A world of puppets, started and ready. */
  static async of(puppets: Readonly<Record<string, PuppetOptions>>, options: WorldOptions = {}): Promise<HostWorld> {
    const world = await HostWorld.create(options);
    for (const [name, puppet] of Object.entries(puppets)) world.puppet(name, puppet);
    await world.start();
    return world;
  }

  /** Writes an extension in Python; `script` follows the prelude. Gives its directory. */
  python(name: string, script: string, manifest: object = {}, root = join(this.home, "extensions")): string {
    return this.files(
      name,
      {
        "main.py": `${PRELUDE}\n${dedent(script)}`,
        "extension.json": { name, exec: "python3", args: ["main.py"], ...manifest },
      },
      root,
    );
  }

  /**
   * Writes an extension that does nothing of its own, sends what `emit` tells it, and leaves calls unanswered. Gives
   * its directory.
   */
  puppet(name: string, { protocol, capabilities, registrations = [], root }: PuppetOptions = {}): string {
    const fields = {
      ...(protocol === undefined ? {} : { protocol_version: protocol }),
      ...(capabilities === undefined ? {} : { capabilities }),
    };
    const python = (value: unknown): string => `json.loads(${JSON.stringify(JSON.stringify(value))})`;
    return this.python(name, `puppet(*${python(registrations)}, **${python(fields)})`, {}, root);
  }

  /** Makes a puppet send frames; by the time this resolves the host has handled them. */
  async emit(name: string, ...frames: readonly ReceivedFrame[]): Promise<void> {
    const outcome = await this.host.commands.invoke(`do-${name}`, JSON.stringify(frames));
    if (outcome.kind !== "noop")
      throw new Error(`${name} did not send ${JSON.stringify(frames)}: ${JSON.stringify(outcome)}`);
  }

  /** Writes an extension whose program is a shell script. Gives its directory. */
  shell(name: string, script: string, manifest: object = {}, root = join(this.home, "extensions")): string {
    const dir = this.files(
      name,
      { run: `#!/bin/sh\n${dedent(script)}`, "extension.json": { name, exec: "./run", ...manifest } },
      root,
    );
    chmodSync(join(dir, "run"), 0o755);
    return dir;
  }

  /** Writes files below `root/name`; objects become JSON. Gives the directory. */
  files(name: string, files: Readonly<Record<string, string | object>>, root = join(this.home, "extensions")): string {
    const dir = join(root, name);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(dir, path, ".."), { recursive: true });
      writeFileSync(join(dir, path), typeof content === "string" ? content : JSON.stringify(content));
    }
    return dir;
  }

  get projectExtensions(): string {
    return join(this.cwd, ".zot", "extensions");
  }

  async start(): Promise<void> {
    await this.host.start();
    await this.host.whenReady();
  }

  /** The running extension of that name; throws when there is none. */
  extension(name: string): Extension {
    const found = this.host.extensions.find((extension) => extension.name === name);
    if (found === undefined) throw new Error(`no extension ${name}: ${JSON.stringify(this.loadErrors)}`);
    return found;
  }

  diagnostics(name: string): readonly string[] {
    return this.extension(name).diagnostics.entries;
  }

  /** Waits for a diagnostic that contains `text`. */
  async diagnosed(name: string, text: string): Promise<string> {
    return await until(`the diagnostic ${text} among ${JSON.stringify(this.diagnostics(name))}`, () => {
      return this.diagnostics(name).find((entry) => entry.includes(text));
    });
  }

  get loadErrors(): string[] {
    return this.host.loadErrors.map(({ candidate, text }) => `${candidate.dir}: ${text}`);
  }

  log(name: string): string {
    const path = join(this.home, "logs", `ext-${name}.log`);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /** Everything that the Python extension in `dir` has read so far. */
  received(name: string, root = join(this.home, "extensions")): ReceivedFrame[] {
    const path = join(root, name, "received.ndjson");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const frame: ReceivedFrame = JSON.parse(line);
        return frame;
      });
  }

  /** The frames of one type that it has read so far. */
  framesOf(name: string, type: string): ReceivedFrame[] {
    return this.received(name).filter((frame) => frame["type"] === type);
  }

  /** Waits until it has read a frame with all of `fields`. */
  async frame(name: string, fields: ReceivedFrame): Promise<ReceivedFrame> {
    return await until(`${name} to read ${JSON.stringify(fields)}, not ${JSON.stringify(this.received(name))}`, () => {
      return this.received(name).find((frame) => {
        return Object.entries(fields).every(([key, value]) => Bun.deepEquals(frame[key], value));
      });
    });
  }

  pid(name: string, root = join(this.home, "extensions")): number {
    return Number(readFileSync(join(root, name, "pid"), "utf8"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.stop(0);
    await this.#dir[Symbol.asyncDispose]();
  }
}

/** True while the process exists and has not ended. */
export function isRunning(pid: number): boolean {
  const state = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim();
  return state !== "" && !state.startsWith("Z");
}

/** Takes the indentation of the first line from every line. */
function dedent(text: string): string {
  const indent = /^\n*( *)/.exec(text)?.[1] ?? "";
  return text
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}
