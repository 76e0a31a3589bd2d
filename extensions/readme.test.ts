import { describe, expect, test } from "bun:test";
import { chmod, cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ExtensionDriver, sourceCommand } from "../test/support/extension-driver.ts";
import { tempDir } from "../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../test/support/zot.ts";

const guide = await Bun.file(join(import.meta.dir, "README.md")).text();
const folders = (await readdir(import.meta.dir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
const names = folders.map((entry) => entry.name).sort();

/** The code block of `language` in the guide that holds `text`. */
function block(language: string, text: string): string {
  const blocks = guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"));
  const found = [...blocks].map(([, code = ""]) => code).find((code) => code.includes(text));
  if (found === undefined) throw new Error(`the guide has no ${language} block with ${text}`);
  return found;
}

describe("the author's guide", () => {
  test("names every example", () => {
    for (const name of names) expect(guide).toContain(`| [${name}](${name}/)`);
  });

  test("its TypeScript works", async () => {
    await using dir = await tempDir();
    await Bun.write(join(dir.path, "index.ts"), block("ts", "shout"));
    await using ext = new ExtensionDriver(sourceCommand(join(dir.path, "index.ts")));
    expect(await ext.greet()).toMatchObject(
      JSON.parse(block("json", "greet")).name === "greet" ? { name: "greet" } : {},
    );
    expect(await ext.command("greet", "Ada")).toMatchObject({ action: "prompt", prompt: "Greet Ada." });
    expect((await ext.tool("shout", { text: "hi" }))["content"]).toEqual([{ type: "text", text: "HI" }]);
  });

  test("its state is kept with the session and comes back with it", async () => {
    await using dir = await tempDir();
    await Bun.write(join(dir.path, "index.ts"), block("ts", "tally"));
    await using ext = new ExtensionDriver(sourceCommand(join(dir.path, "index.ts")));
    await ext.greet({ protocol_version: 2 });
    ext.send({ type: "event", event: "session_opened", session: { id: "s" }, state: { count: 4 } });
    await ext.next({ type: "status", text: "4 so far" });
    expect(await ext.tool("tally", {})).toMatchObject({ details: { count: 5 } });
    await ext.next({ type: "status", text: "5 so far" });
  });

  const scripts = [
    { language: "python", file: "main.py", program: "python3", command: "greet-py" },
    { language: "sh", file: "main.sh", program: "sh", command: "greet-sh" },
  ];
  const runnable = scripts.filter(({ program }) => Bun.which(program) !== null);
  test.each(runnable)("its $language works", async ({ language, file, command }) => {
    await using dir = await tempDir();
    const path = join(dir.path, file);
    await Bun.write(path, block(language, `"${command}"`));
    await chmod(path, 0o755);
    await using ext = new ExtensionDriver([path], { cwd: dir.path });
    await ext.greet();
    expect((await ext.command(command))["display"]).toBe("hello");
    expect(await ext.shutdown()).toBe(0);
  });
});

describe.skipIf(!zotIsBuilt)("in zot", () => {
  test.each(names)("the offline line in the README of %s works when pasted", async (name) => {
    const readme = await Bun.file(join(import.meta.dir, name, "README.md")).text();
    const [, options = "", prompt = ""] = /^ {4}zot (-p .*) '(.*)'$/m.exec(readme) ?? [];
    expect(options.split(" ")).toContain(`extensions/${name}`);
    await using dir = await tempDir();
    await cp(join(import.meta.dir, name), join(dir.path, "extensions", name), { recursive: true });
    const result = await runZot([...options.split(" "), prompt], { cwd: dir.path });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.trim()).not.toBe("");
  });

  test("a single file needs no manifest", async () => {
    await using dir = await tempDir();
    await Bun.write(join(dir.path, "greet.ts"), block("ts", "shout"));
    const args = ["-p", "--provider", "offline", "--ext", "./greet.ts", 'call shout {"text":"hi"}'];
    const result = await runZot(args, { cwd: dir.path });
    expect(result.stdout).toContain("HI");
  });

  test("doctor finds every example", async () => {
    const result = await runZot(["ext", "doctor", ...names.flatMap((name) => ["--ext", join(import.meta.dir, name)])]);
    expect(result.code).toBe(0);
    for (const name of names) expect(result.stdout + result.stderr).toContain(name);
  });
});
