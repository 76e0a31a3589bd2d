import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";
import { zotBinary } from "../support/zot.ts";

const PROGRAM = `
import { ZotClient } from "zot/client";
const zot = await ZotClient.start({
  command: ${JSON.stringify(zotBinary)},
  args: ["--provider", "offline"],
  env: { PATH: process.env.PATH, HOME: process.cwd(), ZOT_HOME: process.cwd() },
});
const prompt = await zot.prompt("say hello");
const result = await prompt.result;
console.log(result.status);
await zot.close();
`;

// Results are typed, so this line must not pass.
const MISTAKE = `
// @ts-expect-error
result.status.toFixed();
`;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "zot-client-"));
  const installed = join(project, "node_modules", "zot");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  cpSync(join(root, "dist", "client"), join(installed, "dist", "client"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "index.js"), PROGRAM);
  writeFileSync(
    join(project, "index.ts"),
    `declare const process: { cwd(): string; env: Record<string, string> };\n${PROGRAM}${MISTAKE}`,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom"],
    types: [],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the published zot/client", () => {
  const runtimes = [process.execPath, Bun.which("node")].filter((path) => path !== null);
  test.each(runtimes)("runs a prompt from a plain project in %s", async (runtime) => {
    const result = await command([runtime, "index.js"], { cwd: project, deadlineMs: 30_000 });
    expect(result).toEqual({ code: 0, stdout: "completed\n", stderr: "" });
  });

  test("gives a TypeScript project types that hold, without those of Node or Bun", async () => {
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const result = await command([process.execPath, compiler, "-p", "."], { cwd: project, deadlineMs: 60_000 });
    expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
  }, 60_000);
});
