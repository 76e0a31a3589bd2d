import { existsSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../../support/temp-dir.ts";
import { runZot, type ZotOptions, type ZotResult } from "../../support/zot.ts";

/** File contents by relative path; those of `PROGRAM` get an x bit. */
export type Files = Readonly<Record<string, string>>;

export const PROGRAM = "#!/bin/sh\nexit 0\n";

/** A home and a project of one test, and folders to install from. */
export class ExtHome implements AsyncDisposable {
  readonly #remove: () => PromiseLike<void>;
  /** Absolute, as are all below. */
  readonly path: string;
  readonly project: string;
  readonly extensions: string;
  readonly projectExtensions: string;
  readonly logs: string;

  private constructor(path: string, remove: () => PromiseLike<void>) {
    this.path = path;
    this.#remove = remove;
    this.project = join(path, "project");
    this.extensions = join(path, "zot", "extensions");
    this.projectExtensions = join(this.project, ".zot", "extensions");
    this.logs = join(path, "zot", "logs");
  }

  static async create(): Promise<ExtHome> {
    const dir = await tempDir("zot-ext-");
    const home = new ExtHome(dir.path, () => dir[Symbol.asyncDispose]());
    await mkdir(home.project);
    await mkdir(join(dir.path, "home"));
    return home;
  }

  /** `zot ext …` in the project. */
  ext(...args: readonly string[]): Promise<ZotResult> {
    return this.extWith({}, ...args);
  }

  extWith(options: ZotOptions, ...args: readonly string[]): Promise<ZotResult> {
    return runZot(["ext", ...args], { cwd: this.project, home: this.path, ...options });
  }

  /** Writes a folder below this home; gives its path. */
  async folder(name: string, files: Files): Promise<string> {
    const dir = join(this.path, name);
    await mkdir(dir, { recursive: true });
    await writeFiles(dir, files);
    return dir;
  }

  /** What is in the global extensions directory, hidden entries too. */
  async installed(): Promise<readonly string[]> {
    return existsSync(this.extensions) ? (await readdir(this.extensions)).sort() : [];
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#remove();
  }
}

async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Bun.write(join(dir, name), text);
    if (text === PROGRAM) await chmod(join(dir, name), 0o755);
  }
}

export function manifest(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ version: "1.0", exec: "./run", ...fields });
}

/** Runs git in `dir`, with an author and without the settings of whoever runs the tests. */
export async function git(dir: string, ...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", ...args], {
    cwd: dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.invalid",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.invalid",
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  const [code, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

/** Makes `dir` a repository with everything that is in it committed. */
export async function commitAll(dir: string): Promise<void> {
  await git(dir, "init", "--quiet");
  await git(dir, "add", "--all");
  await git(dir, "commit", "--quiet", "--allow-empty", "--message", "all");
}
