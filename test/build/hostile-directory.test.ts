import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandResult, command } from "../../src/build/command.ts";
import { binary, productVersion } from "../../src/build/project.ts";

const ACK = '{"type":"hello_ack","protocol_version":1,"zot_version":"0","provider":"p","model":"m","cwd":"/"}\n';

// Tells what it sees: keys and places that only the hostile .env names, and whose SDK it was given.
const EXTENSION = `
import { extension } from "zot/ext";
const planted = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "PLANTED"].filter((name) => name in process.env);
const answer = planted.length === 0 ? "clean environment" : "planted: " + planted.join(" ");
const ext = extension({ name: "witness", version: "1.0.0" });
ext.tool("witness", { description: answer }, () => answer);
ext.run();
`;

let place: string;
let marker: string;

function write(path: string, text: string): void {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "zot-hostile-"));
  marker = join(place, "taken");
  const attack = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, __filename + "\\n");\n`;
  write("project/attack.cjs", attack);
  write("project/bunfig.toml", 'preload = ["./attack.cjs"]\n[run]\npreload = ["./attack.cjs"]\n');
  const keys = "OPENAI_API_KEY=planted\nANTHROPIC_API_KEY=planted\nPLANTED=1\n";
  const steer = `ZOT_HOME=${join(place, "project", "home")}\nBUN_OPTIONS="--preload ./attack.cjs"\n`;
  for (const name of [".env", ".env.local", ".env.development", ".env.production"]) {
    write(`project/${name}`, keys + steer);
  }
  write("project/package.json", '{ "name": "broken", ');
  write("project/tsconfig.json", '{ "compilerOptions": { "paths": ');
  write("project/node_modules/zot/package.json", '{ "name": "zot", "exports": { "./ext": "./ext.js" } }');
  write("project/node_modules/zot/ext.js", attack);
  write("elsewhere/index.ts", EXTENSION);
  write("elsewhere/extension.json", '{ "name": "witness", "exec": "./index.ts" }');
  // An extension of the project itself: what lies around it is as hostile as the rest.
  write("project/.zot/extensions/inside/index.ts", EXTENSION);
  write("project/.zot/extensions/inside/extension.json", '{ "name": "witness", "exec": "./index.ts" }');
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

async function zot(args: readonly string[], input?: string): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, HOME: join(place, "user"), ZOT_HOME: join(place, "user", "zot") };
  const options = { cwd: join(place, "project"), deadlineMs: 30_000, env };
  return await command([binary, ...args], input === undefined ? options : { ...options, input });
}

function expectUntouched(): void {
  expect(existsSync(marker)).toBe(false);
  expect(existsSync(join(place, "project", "home"))).toBe(false);
}

describe("in a directory whose files try to take over, the binary", () => {
  test("tells its version", async () => {
    const result = await zot(["--version"]);
    expect(result).toEqual({ code: 0, stdout: `${productVersion()}\n`, stderr: "" });
    expectUntouched();
  });

  test("answers a prompt", async () => {
    const result = await zot(["-p", "--no-ext", "--provider", "offline", "say all is well"]);
    expect(result).toMatchObject({ code: 0, stdout: "all is well\n" });
    expectUntouched();
  });

  test("finds no key for a provider", async () => {
    const result = await zot(["-p", "--no-ext", "--provider", "openai", "--model", "gpt-5", "hi"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("OPENAI_API_KEY");
    expect(result.stdout).toBe("");
    expectUntouched();
  });

  test("runs an extension from elsewhere with its own SDK and a clean environment", async () => {
    const result = await zot(["__run-ext", join(place, "elsewhere", "index.ts")], ACK);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('{"type":"hello","name":"witness"');
    expect(result.stdout).toContain('"clean environment"');
    expectUntouched();
  });

  test.each(["elsewhere", "project/.zot/extensions/inside"])(
    "lets the model call the extension in %s",
    async (where) => {
      const prompt = "call witness {}";
      const result = await zot(["-p", "--no-ext", "--ext", join(place, where), "--provider", "offline", prompt]);
      expect(result.stderr).not.toContain("extension load");
      expect(result.stdout).toContain("clean environment");
      expect(result.code).toBe(0);
      expectUntouched();
    },
  );
});
