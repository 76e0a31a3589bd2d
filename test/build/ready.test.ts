import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandResult, command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";

const LIMIT_MS = 120_000;

// The smallest program that passes the smoke test of the build, with the real build scripts around it.
const FILES: Readonly<Record<string, string>> = {
  "src/main.ts": `
declare const ZOT_VERSION: string;
const [first, file = ""] = process.argv.slice(2);
if (first === "--version") console.log(ZOT_VERSION);
if (first === "--help") console.log("usage: zot --print");
if (first === "__run-ext") await (await import("./run.ts")).run(file);
`,
  "src/run.ts": `
import * as sdk from "./sdk/index.ts";
export async function run(file: string): Promise<void> {
  Bun.plugin({ name: "sdk", setup: (b) => { b.module("zot/ext", () => ({ exports: { ...sdk }, loader: "object" })); } });
  await import(file);
}
`,
  "src/sdk/index.ts": `
const frame = (value: object) => console.log(JSON.stringify(value));
export function extension(identity: { name: string; version: string }) {
  frame({ type: "hello", ...identity });
  const command = (name: string, ..._rest: unknown[]) => frame({ type: "register_command", name });
  return { command, run: () => frame({ type: "ready" }) };
}
export const noop = () => undefined;
`,
  "src/client/index.ts": "export {};\n",
};

let project: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "zot-ready-"));
  for (const path of ["src/build", "package.json", "bun.lock", "tsconfig.json"]) {
    cpSync(join(root, path), join(project, path), { recursive: true });
  }
  installPackages();
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});

/** What the build needs, borrowed from this checkout, so that the test needs no registry. */
function installPackages(): void {
  const [theirs, ours] = [join(root, "node_modules"), join(project, "node_modules")];
  mkdirSync(ours);
  for (const name of ["typescript", "@typescript", "bun-types"]) symlinkSync(join(theirs, name), join(ours, name));
  cpSync(join(theirs, ".zot-installed"), join(ours, ".zot-installed"));
}

afterAll(() => rmSync(project, { recursive: true, force: true }));

function ready(): Promise<CommandResult> {
  return command([process.execPath, "src/build/ready.ts"], { cwd: project, deadlineMs: LIMIT_MS });
}

async function versionOfBinary(): Promise<string> {
  const argv = [join(project, "dist", "zot"), "--version"];
  return (await command(argv, { cwd: project, deadlineMs: LIMIT_MS })).stdout.trim();
}

describe("making a checkout ready", () => {
  test(
    "twice at once builds once, and both end with the whole thing in place",
    async () => {
      const results = await Promise.all([ready(), ready()]);
      expect(results.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0]);
      const builds = results.filter(({ stderr }) => stderr.includes("compile dist/zot ..."));
      expect(builds).toHaveLength(1);
      expect(await versionOfBinary()).toMatch(/^\d+\.\d+\.\d+/);
      expect(readdirSync(join(project, "dist")).sort()).toEqual([".compiled", ".lock", "client", "ext", "zot"]);
      expect(readdirSync(join(project, "dist", "ext")).sort()).toEqual(["index.d.ts", "index.js", "types"]);
    },
    LIMIT_MS,
  );

  test("does nothing and says nothing when it is", async () => {
    expect(await ready()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test(
    "fails on a source that does not compile, names it, and keeps the last good binary",
    async () => {
      write("src/run.ts", "export const run = ;\n");
      const { code, stderr } = await ready();
      expect(code).toBe(1);
      expect(stderr).toContain("src/run.ts:1:");
      expect(stderr).toContain("compile dist/zot: FAILED");
      expect(await versionOfBinary()).toMatch(/^\d+\.\d+\.\d+/);
    },
    LIMIT_MS,
  );

  test(
    "refuses a binary that compiles and does not work, after a loud try without bytecode",
    async () => {
      write("src/run.ts", "export async function run(_: string): Promise<void> {}\n");
      const { code, stderr } = await ready();
      expect(code).toBe(1);
      expect(stderr).toContain("WARNING: building it again WITHOUT bytecode");
      expect(stderr).toContain("error: the binary does not work: zot __run-ext gave exit code 0 and printed: nothing");
      expect(existsSync(join(project, "dist", ".build"))).toBe(false);
      // Not stamped as done: the next attempt builds again instead of trusting what is there.
      expect((await ready()).code).toBe(1);
    },
    LIMIT_MS,
  );
});
