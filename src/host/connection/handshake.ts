import * as v from "valibot";
import { type Dialect, dialectOf, FEATURES, versionKey } from "../../wire/dialect.ts";
import { parseFrame, type SessionContext } from "../../wire/frames.ts";
import { FrameTooLongError } from "../../wire/framing.ts";
import { AUTO_READY_IDLE_MS, BAD_LINE_PREVIEW_CHARS, EXIT_AFTER_EOF_MS } from "../../wire/limits.ts";
import type { LineReader } from "../../wire/line-reader.ts";
import { faultOf, type Hello, helloSchema } from "../../wire/schemas.ts";
import { HostError } from "../error.ts";
import type { ExtensionProcess } from "../launch/process.ts";
import { raceTimeout } from "../race.ts";
import type { Connection } from "./connection.ts";
import type { Timers } from "./timers.ts";

export interface Handshake {
  readonly hello: Hello;
  readonly dialect: Dialect;
}

export interface HandshakeOptions {
  readonly lines: LineReader;
  readonly process: ExtensionProcess;
  /** Named in every error (extension-host.md §1.1 [REQ]). */
  readonly logPath: string;
  readonly deadlineMs: number;
  /** What the deadline is measured by. */
  readonly timers: Timers;
  readonly manifestName: string;
}

/** Waits for `hello` and judges it (extension-host.md §2.3). Throws `HostError` "handshake" with the texts given there. */
export async function readHello(options: HandshakeOptions): Promise<Handshake> {
  const line = await firstLine(options);
  const { logPath } = options;
  const parsed = parseFrame(line);
  const shown = JSON.stringify(line.slice(0, BAD_LINE_PREVIEW_CHARS));
  if (parsed.kind === "malformed")
    throw handshakeError(`parse hello (stderr log: ${logPath}): ${parsed.detail}: ${shown}`);
  const type = parsed.kind === "frame" ? parsed.frame.type : "";
  if (type !== "hello")
    throw handshakeError(`first frame must be hello (got "${type.slice(0, 80)}"; stderr log: ${logPath}): ${shown}`);

  const result = v.safeParse(helloSchema, parsed.kind === "frame" ? parsed.frame : {});
  if (!result.success) {
    const fault = faultOf(result.issues);
    if (fault.startsWith("name"))
      throw handshakeError(`first frame must be hello with a name (got "hello"; stderr log: ${logPath})`);
    throw handshakeError(`parse hello (stderr log: ${logPath}): ${fault}`);
  }
  const hello = result.output;
  const dialect = dialectOf(hello.protocol_version);
  if (dialect === undefined) {
    const version = hello.protocol_version;
    throw handshakeError(`unsupported extension protocol version ${version} (want 1 or 2; stderr log: ${logPath})`);
  }
  if (!isKin(hello.name, options.manifestName)) {
    const [said, expected] = [JSON.stringify(hello.name.slice(0, 80)), JSON.stringify(options.manifestName)];
    throw handshakeError(`hello name ${said} does not match the manifest name ${expected} (stderr log: ${logPath})`);
  }
  return { hello, dialect };
}

/** What an extension learns of its host (extension-host.md §2.4). */
export interface HostIdentity {
  readonly version: string;
  readonly provider: string;
  readonly model: string;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Absolute extension directory. */
  readonly dir: string;
  /** The conversation that is open. */
  readonly session: SessionContext | undefined;
}

/** Answers hello: the version goes under the dialect's own key, and the additions that an old reader skips (§2.4). */
export function acknowledge(connection: Connection, dialect: Dialect, host: HostIdentity): void {
  const { version, provider, model, cwd, dir, session } = host;
  connection.send("hello_ack", {
    protocol_version: dialect,
    [versionKey(dialect)]: version,
    provider,
    model,
    cwd,
    extension_dir: dir,
    data_dir: dir,
    features: FEATURES,
    ...(dialect === 2 && session !== undefined ? { session } : {}),
  });
}

/**
 * Calls `onSilence` with the first sample that finds no new frame since the one before (§2.5). Ends with that, when
 * `isOver`, or when it is disposed, so that a host of many extensions is not woken for nothing.
 */
export function watchForSilence(connection: Connection, isOver: () => boolean, onSilence: () => void): Disposable {
  let seen = connection.framesRead;
  const timer = setInterval(() => {
    const isSilent = connection.framesRead === seen;
    seen = connection.framesRead;
    if (!isOver() && !isSilent) return;
    clearInterval(timer);
    if (!isOver()) onSilence();
  }, AUTO_READY_IDLE_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Whether a hello name can belong to this manifest. The protocol asks for the same name; shipped extensions shorten or
 * extend theirs (`mcp` and `mcp-bridge`), which is worth a diagnostic. A name with nothing in common is another program.
 */
function isKin(helloName: string, manifestName: string): boolean {
  const [a, b] = [plain(helloName), plain(manifestName)];
  return a === b || (a !== "" && b !== "" && (a.includes(b) || b.includes(a)));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

async function firstLine({ lines, process, logPath, deadlineMs, timers }: HandshakeOptions): Promise<string> {
  const first = lines.next().catch((error: unknown) => {
    const detail = error instanceof FrameTooLongError ? error.message : String(error);
    return handshakeError(`read hello (stderr log: ${logPath}): ${detail}`);
  });
  if (await raceTimeout(first, deadlineMs, timers))
    throw handshakeError(`no hello within ${deadlineMs / 1000}s (stderr log: ${logPath})`);
  const read = await first;
  if (read instanceof HostError) throw read;
  if (read !== undefined) return read;
  if (await raceTimeout(process.exited, EXIT_AFTER_EOF_MS)) {
    throw handshakeError(`extension closed stdout before hello without exiting (stderr log: ${logPath})`);
  }
  throw handshakeError(
    `extension exited before hello: ${process.exitText ?? "unknown status"} (stderr log: ${logPath})`,
  );
}

function handshakeError(text: string): HostError {
  return new HostError("handshake", text);
}
