import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ExtensionDriver, sourceCommand } from "../support/extension-driver.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { zotBinary, zotIsBuilt } from "../support/zot.ts";

interface Runner {
  readonly name: string;
  command(file: string, ...args: readonly string[]): readonly string[];
}

const runners: readonly Runner[] = [
  { name: "the sources", command: sourceCommand },
  ...(zotIsBuilt ? [{ name: "the binary", command: binaryCommand }] : []),
];

function binaryCommand(file: string, ...args: readonly string[]): readonly string[] {
  return [zotBinary, "__run-ext", file, ...args];
}

async function write(dir: TempDir, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await Bun.write(join(dir.path, name), text);
}

const imported = 'import { extension } from "zot/ext";';
const required = 'const { extension } = require("zot/ext");';
const body = 'const ext = extension({ name: "k" }); ext.command("c", {}, () => said); ext.run();';

describe.each(runners)("__run-ext of $name", (runner) => {
  const start = (dir: TempDir, file: string, env = {}, ...args: readonly string[]): ExtensionDriver =>
    new ExtensionDriver(runner.command(join(dir.path, file), ...args), { cwd: dir.path, env: { PATH: "", ...env } });

  test.each([
    ["k.ts", `${imported} enum E { Said = "ts" } const said: string = E.Said; ${body}`],
    ["k.mts", `${imported} const said = "mts" satisfies string; ${body}`],
    ["k.cts", `${required} const said: string = "cts"; ${body}`],
    ["k.tsx", `${imported} const said: string = "tsx"; ${body}`],
    ["k.js", `${imported} const said = "js"; ${body}`],
    ["k.mjs", `${imported} const said = "mjs"; ${body}`],
    ["k.cjs", `${required} const said = "cjs"; ${body}`],
    ["k.jsx", `${imported} const said = "jsx"; ${body}`],
  ])("runs %s with an empty PATH", async (file, source) => {
    await using dir = await tempDir();
    await write(dir, { [file]: source });
    await using ext = start(dir, file);
    await ext.greet();
    expect((await ext.command("c"))["display"]).toBe(file.slice(2));
  });

  test("packages beside the extension are found through their exports map, and zot/ext in nested files too", async () => {
    await using dir = await tempDir();
    await write(dir, {
      "node_modules/mapped/package.json":
        '{"name":"mapped","exports":{".":{"import":"./lib/a.mjs","require":"./lib/a.cjs"},"./sub":"./lib/sub.js"}}',
      "node_modules/mapped/lib/a.mjs": 'console.log("noise of a library"); export default "esm";',
      "node_modules/mapped/lib/a.cjs": 'module.exports = "cjs";',
      "node_modules/mapped/lib/sub.js": 'exports.sub = "sub";',
      "src/reply.ts": 'import { display } from "zot/ext"; export const reply = (text: string) => display(text);',
      "src/index.ts": `
        import { extension } from "zot/ext";
        import a from "mapped";
        import { sub } from "mapped/sub";
        import { createRequire } from "node:module";
        import { reply } from "./reply.ts";
        const ext = extension({ name: "k" });
        ext.command("c", {}, () => reply([a, sub, createRequire(import.meta.url)("mapped")].join()));
        await ext.run();`,
    });
    await using ext = start(dir, "src/index.ts");
    await ext.greet();
    expect((await ext.command("c"))["display"]).toBe("esm,sub,cjs");
    expect(ext.stderr).toContain("noise of a library");
  });

  test("process.argv looks as it does under bun", async () => {
    await using dir = await tempDir();
    await write(dir, { "k.ts": `${imported} const said = JSON.stringify(process.argv.slice(1)); ${body}` });
    await using ext = start(dir, "k.ts", {}, "--mode", "a b");
    await ext.greet();
    expect(JSON.parse(String((await ext.command("c"))["display"]))).toEqual([join(dir.path, "k.ts"), "--mode", "a b"]);
  });

  test.each(["a b", "q'uo\"te", "$HOME`x`", "ümlaut 🎉", "per%20cent#hash", "-dash"])(
    "runs from the folder %s",
    async (name) => {
      await using dir = await tempDir();
      const folder = join(dir.path, name);
      await mkdir(folder);
      await Bun.write(join(folder, "k.ts"), `${imported} const said: string = import.meta.dir; ${body}`);
      await using ext = new ExtensionDriver(runner.command(join(folder, "k.ts")), { cwd: folder });
      await ext.greet();
      expect((await ext.command("c"))["display"]).toBe(folder);
    },
  );

  test("what steers our runtime reaches no program that the extension starts; the rest does", async () => {
    await using dir = await tempDir();
    await write(dir, {
      "k.ts": `
        import { spawnSync } from "node:child_process";
        ${imported}
        const argv = ["/bin/sh", "-c", "export -p"];
        process.env.SET_LATE = "1";
        const outputs = [
          spawnSync(argv[0], argv.slice(1)).stdout.toString(),
          Bun.spawnSync(argv).stdout.toString(),
          Bun.spawnSync({ cmd: argv }).stdout.toString(),
          await new Response(Bun.spawn(argv, { stdout: "pipe" }).stdout).text(),
          await new Response(Bun.spawn({ cmd: argv }).stdout).text(),
        ];
        const said = JSON.stringify(outputs.map((text) => [...text.matchAll(/(?:BUN_|SET_)\\w+/g)].map(String)));
        ${body}`,
    });
    await using ext = start(dir, "k.ts", {
      BUN_FEATURE_FLAG_NO_ORPHANS: "1",
      BUN_JSC_useConcurrentGC: "1",
      BUN_INSTALL: "/b",
    });
    await ext.greet();
    const outputs: unknown = JSON.parse(String((await ext.command("c"))["display"]));
    expect(outputs).toEqual(Array.from({ length: 5 }, () => ["BUN_INSTALL", "SET_LATE"]));
  });

  test("an extension without the SDK may write its frames with console.log; its other prints are log", async () => {
    await using dir = await tempDir();
    await write(dir, {
      "k.js": `
        console.log("loading…", { type: "hello" });
        console.log("{ not a frame");
        console.log({ type: "object" });
        console.log(JSON.stringify({ type: "hello", name: "k" }));
        for await (const line of console) if (line.includes("hello_ack")) console.log('{"type":"ready"}');`,
    });
    await using ext = start(dir, "k.js");
    await ext.greet();
    expect(ext.lines).toEqual(['{"type":"hello","name":"k"}', '{"type":"ready"}']);
    expect(ext.stderr).toContain("loading…");
    expect(ext.stderr).toContain("{ not a frame");
  });

  test.each([
    [
      "a package that is not there",
      'import x from "@scope/missing/deep"; x;',
      "`bun add @scope/missing` or `npm install @scope/missing`",
    ],
    [
      "a package that is not there, asked for late",
      'await import("missing");',
      "`bun add missing` or `npm install missing`",
    ],
    [
      "a path that is not there",
      'import "./missing.ts";',
      'next: there is no such file; check the path "./missing.ts"',
    ],
    [
      "a subpath that is not exported",
      'import x from "mapped/private"; x;',
      'mapped is installed, but its package.json exports no "mapped/private"',
    ],
  ])("%s: exit code 1 and the next step", async (_what, source, hint) => {
    await using dir = await tempDir();
    await write(dir, {
      "package.json": "{}",
      "src/index.ts": source,
      "node_modules/mapped/package.json": '{"name":"mapped","exports":{".":"./a.js"}}',
      "node_modules/mapped/a.js": "",
    });
    await using ext = start(dir, "src/index.ts");
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toContain(hint);
    if (hint.includes("bun add")) expect(ext.stderr).toContain(`next: in ${dir.path}, run`);
    expect(ext.lines).toEqual([]);
  });

  test("a question mark in the path, which Bun cannot import, is named as the reason", async () => {
    await using dir = await tempDir("zot-what?-");
    await write(dir, { "k.ts": "" });
    await using ext = start(dir, "k.ts");
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toContain("next: rename the folder");
  });

  test("a file that is not there is one clear line", async () => {
    await using dir = await tempDir();
    await using ext = start(dir, "gone.ts");
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toBe(`zot: extension file not found: ${join(dir.path, "gone.ts")}\n`);
  });

  test.each([
    ["a syntax error", "const a: number = 1;\nconst b = ;\n", ":2:"],
    ["a throw while loading", 'type A = 1;\n\nthrow new Error("early");\n', ":3:"],
    [
      "a throw later on",
      'type A = 1;\nsetTimeout(() => {\n  throw new Error("later");\n}, 5);\nawait new Promise(() => setInterval(() => 0, 1000));\n',
      ":3:",
    ],
    [
      "a rejection that nobody takes",
      'type A = 1;\n\n\nPromise.reject(new Error("lost"));\nawait new Promise(() => setInterval(() => 0, 1000));\n',
      ":4:",
    ],
  ])("%s: exit code 1, and the log names the line of the source", async (_what, source, place) => {
    await using dir = await tempDir();
    await write(dir, { "k.ts": source });
    await using ext = start(dir, "k.ts");
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toContain(`k.ts${place}`);
  });

  test("an extension that listens for uncaught errors decides for itself", async () => {
    await using dir = await tempDir();
    await write(dir, {
      "k.ts": `${imported} const said = "alive";
        process.on("uncaughtException", (error) => console.error("caught", error.message));
        process.on("unhandledRejection", (error) => console.error("caught", error.message));
        setTimeout(() => { throw new Error("one"); });
        Promise.reject(new Error("two"));
        ${body}`,
    });
    await using ext = start(dir, "k.ts");
    await ext.greet();
    await ext.logged("caught one");
    await ext.logged("caught two");
    expect((await ext.command("c"))["display"]).toBe("alive");
  });
});
