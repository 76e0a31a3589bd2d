import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";

const ACK = '{"type":"hello_ack","protocol_version":1,"zot_version":"0","provider":"p","model":"m","cwd":"/"}\n';
const CALL = '{"type":"tool_call","id":"c1","name":"shout","args":{"text":"hi"}}\n';

const EXTENSION = `
import { extension } from "zot/ext";
const ext = extension({ name: "shout", version: "1.0.0" });
ext.tool(
  "shout",
  {
    description: "Says a text loudly.",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
  ({ text }) => text.toUpperCase(),
);
ext.run();
`;

// The handler's argument types follow from the schema, so this line must not pass.
const MISTAKE = `
ext.tool(
  "mistake",
  { description: "", parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
  // @ts-expect-error
  ({ n }) => n.toUpperCase(),
);
`;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "zot-sdk-"));
  const installed = join(project, "node_modules", "zot");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  cpSync(join(root, "dist", "ext"), join(installed, "dist", "ext"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "index.js"), EXTENSION);
  writeFileSync(join(project, "index.ts"), EXTENSION + MISTAKE);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2023", "dom"],
    types: [],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the published zot/ext", () => {
  const runtimes = [process.execPath, Bun.which("node")].filter((path) => path !== null);
  test.each(runtimes)("runs an extension of a plain project in %s", async (runtime) => {
    const options = { cwd: project, deadlineMs: 30_000, input: ACK + CALL };
    const { code, stdout, stderr } = await command([runtime, "index.js"], options);
    expect(stderr).toBe("");
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(["hello", "register_tool", "ready", "tool_result"]);
    expect(stdout).toContain('"HI"');
    expect(code).toBe(0);
  });

  test("gives a TypeScript project types that hold, without the types of Bun", async () => {
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const result = await command([process.execPath, compiler, "-p", "."], { cwd: project, deadlineMs: 60_000 });
    expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
  }, 60_000);
});
