import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";

export const repoRoot = join(import.meta.dir, "..", "..");

/** The compiled program under test; ZOT_BINARY names another one, such as a release to be tried. */
export const zotBinary =
  process.env["ZOT_BINARY"] ?? join(repoRoot, "dist", process.platform === "win32" ? "zot.exe" : "zot");

/** For `describe.skipIf(!zotIsBuilt)`: `bun run test` builds first, a bare `bun test` may not have. */
export const zotIsBuilt = existsSync(zotBinary);

export interface ZotOptions {
  /** Default: an empty folder. */
  readonly cwd?: string;
  /** On top of PATH and the fresh HOME and ZOT_HOME; nothing else of the test's own environment gets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin, which is closed behind it. Default: stdin is empty. */
  readonly stdin?: string;
  /** Holds HOME and ZOT_HOME, for runs that share them. Default: a fresh folder. */
  readonly home?: string;
  /** ms; what is still running then is killed with its whole process group. */
  readonly timeoutMs?: number;
}

export interface ZotResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `dist/zot` to its end. Throws when it has to be killed. */
export async function runZot(args: readonly string[], options: ZotOptions = {}): Promise<ZotResult> {
  await using scratch = await tempDir("zot-run-");
  const home = options.home ?? scratch.path;
  const cwd = options.cwd ?? join(scratch.path, "project");
  await Promise.all([cwd, join(home, "home"), join(home, "zot")].map((folder) => mkdir(folder, { recursive: true })));
  const zot = Bun.spawn([zotBinary, ...args], {
    cwd,
    env: { ...isolatedEnvironment(home), ...options.env },
    stdin: new Blob([options.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that the kill reaches its extensions' and tools' launcher too.
    detached: true,
  });
  const { timeoutMs = 20_000 } = options;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(zot.pid);
  }, timeoutMs);
  try {
    const [code, stdout, stderr] = await Promise.all([
      zot.exited,
      new Response(zot.stdout).text(),
      new Response(zot.stderr).text(),
    ]);
    if (timedOut) throw new Error(`zot ${args.join(" ")} was killed after ${timeoutMs} ms\n${stdout}\n${stderr}`);
    return { code, stdout, stderr };
  } finally {
    clearTimeout(timer);
  }
}

/** HOME and ZOT_HOME below `home`, and no keys, proxies or settings of whoever runs the tests. */
function isolatedEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(home, "home"),
    ZOT_HOME: join(home, "zot"),
    LANG: "C.UTF-8",
    NO_COLOR: "1",
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It ended by itself in the same moment; that is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
