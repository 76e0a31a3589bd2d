import { expect, test } from "bun:test";
import { type FileHandle, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { commandEnvironment } from "../../../src/agent/tools/bash/shell.ts";
import { bashTool } from "../../../src/agent/tools/bash.ts";
import { bashInChild } from "./support/bash-child.ts";
import { spoolOf } from "./support/spool-file.ts";
import { Workspace } from "./support/workspace.ts";

const posixOnly = test.skipIf(process.platform === "win32");

posixOnly("command, output and exit code are told, and only exit 0 is a success", async () => {
  await using place = await Workspace.open();
  expect(await place.ok(bashTool, { command: "echo hi; printf end" })).toBe(
    "$ echo hi; printf end\n\nhi\nend\n\n[exit 0]",
  );
  expect(await place.ok(bashTool, { command: "true" })).toBe("$ true\n\n[exit 0]");
  expect(await place.fails(bashTool, { command: "echo no; exit 3" })).toBe("$ echo no; exit 3\n\nno\n\n[exit 3]");
  expect(await place.fails(bashTool, { command: "kill -9 $$" })).toEndWith("[exit 137]");
});

posixOnly("it is bash, in the project directory, without input", async () => {
  await using place = await Workspace.open();
  const text = await place.ok(bashTool, {
    command: `[[ -n $BASH_VERSION ]] && pwd; cat; read -r x || echo "no input"`,
  });
  expect(text).toContain(`\n\n${place.cwd}\nno input\n\n[exit 0]`);
});

posixOnly("stdout and stderr stay in order and can be opened by name", async () => {
  await using place = await Workspace.open();
  const command = `for i in 1 2 3; do echo o$i; echo e$i >&2; done; echo named > /dev/stderr; echo t | tee /dev/stderr`;
  expect(await place.ok(bashTool, { command })).toContain("\n\no1\ne1\no2\ne2\no3\ne3\nnamed\nt\nt\n\n[exit 0]");
});

posixOnly("output is reported as it comes, before the command ends", async () => {
  await using place = await Workspace.open();
  const seen = Promise.withResolvers<string>();
  const context = { ...place.context, progress: (text: string) => seen.resolve(text) };
  const running = bashTool.run({ command: "echo first; until [ -e go ]; do sleep 0.01; done; echo last" }, context);
  expect(await seen.promise).toBe("first\n");
  await Bun.write(place.path("go"), "");
  expect((await running).isError).toBeFalse();
});

posixOnly("characters survive being cut between two writes", async () => {
  await using place = await Workspace.open();
  const command = String.raw`printf '\xf0\x9f'; sleep 0.05; printf '\x8e\x89|\xc3'; sleep 0.05; printf '\xbc'`;
  expect(await place.ok(bashTool, { command })).toContain("\n\n🎉|ü\n\n[exit 0]");
  expect(place.progress).toBe("🎉|ü");
});

posixOnly("binary output becomes replacement characters, NUL among them", async () => {
  await using place = await Workspace.open();
  const text = await place.ok(bashTool, { command: String.raw`printf 'a\0b\xff\xfec\xc3'` });
  expect(text).toContain("\n\na\ufffdb\ufffd\ufffdc\ufffd\n\n[exit 0]");
});

posixOnly("random bytes break nothing and are all in the file", async () => {
  await using place = await Workspace.open();
  const text = await place.ok(bashTool, { command: "head -c 300000 /dev/urandom | tee copy" });
  await using spool = await spoolOf(text);
  expect(spool.bytes.equals(await readFile(place.path("copy")))).toBeTrue();
  expect(text).not.toContain("\0");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
});

posixOnly("short output leaves no file", async () => {
  await using place = await Workspace.open();
  const { text } = await bashInChild(place.cwd, ["seq 1 1000"], { TMPDIR: place.cwd });
  expect(text).toEndWith("\n1000\n\n[exit 0]");
  expect(await readdir(place.cwd)).toEqual([]);
});

posixOnly("long output is shown as head and tail, whole in a private file (BUG-45)", async () => {
  await using place = await Workspace.open();
  const text = await place.ok(bashTool, { command: "seq 1 50000" });
  await using spool = await spoolOf(text);
  const all = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join("");
  expect(spool.bytes.toString()).toBe(all);
  expect((await stat(spool.path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(spool.path))).mode & 0o777).toBe(0o700);
  const [, head, lines, bytes, tail] =
    /^\$ seq 1 50000\n\n([^.]+)\.\.\. \[truncated: (\d+) lines, (\d+) bytes left out\]\n([^[]+)\n\[exit 0\] \(/.exec(
      text,
    ) ?? [];
  if (head === undefined || tail === undefined) throw new Error(`unexpected form: ${text.slice(0, 200)}`);
  expect(all.startsWith(head)).toBeTrue();
  expect(all.endsWith(tail)).toBeTrue();
  expect(tail).toEndWith("\n49999\n50000\n");
  expect(head.length + tail.length + Number(bytes)).toBe(all.length);
  expect(Number(lines)).toBe(50_000 - head.split("\n").length - tail.split("\n").length + 2);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
});

posixOnly(
  "the file is complete from its first byte to its last, and memory stays bounded",
  async () => {
    await using place = await Workspace.open();
    const flood = "head -c 200000000 /dev/zero | tr '\\0' x; printf END";
    const { text, grownKb } = await bashInChild(place.cwd, ["seq 1 1000", flood]);
    await using spool = await spoolOf(text);
    expect(spool.bytes.length).toBe(200_000_003);
    expect(spool.bytes.subarray(-6).toString()).toBe("xxxEND");
    expect(spool.bytes.indexOf("E")).toBe(200_000_000);
    expect(grownKb).toBeLessThan(120_000);
  },
  30_000,
);

posixOnly("a command that is long itself does not push its result away", async () => {
  await using place = await Workspace.open();
  const text = await place.ok(bashTool, { command: `: ${"x".repeat(50_000)}; seq 1 20000` });
  await using spool = await spoolOf(text);
  expect(spool.bytes.toString()).toEndWith("20000\n");
  expect(text).toContain("\n... [rest of the command left out]\n\n1\n2\n");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
});

posixOnly("a command that the system refuses is an answer", async () => {
  await using place = await Workspace.open();
  expect(await place.fails(bashTool, { command: `: ${"x".repeat(4_000_000)}` })).toEndWith(
    "[could not run: argument list too long]",
  );
  expect(await place.fails(bashTool, { command: "echo a\0b" })).toBe("command contains a NUL character");
});

posixOnly("a missing working directory is named, not the shell", async () => {
  await using place = await Workspace.open();
  const gone = place.path("gone");
  const outcome = await bashTool.run({ command: "true" }, { ...place.context, cwd: gone });
  expect(outcome).toEqual({
    content: [{ type: "text", text: `working directory ${gone}: no such file or directory` }],
    isError: true,
  });
});

posixOnly("the environment is ours, without what steers the runtime", async () => {
  await using place = await Workspace.open();
  const internal = ["BUN_INSPECT_NOTIFY", "BUN_JSC_useJIT", "BUN_FEATURE_FLAG_NO_ORPHANS", "BUN_OPTIONS", "BUN_BE_BUN"];
  const given = {
    MULTI: "one\ntwo",
    BUN_INSTALL: "kept",
    ...Object.fromEntries(internal.map((name) => [name, name === "BUN_JSC_useJIT" ? "1" : ""])),
  };
  const { text } = await bashInChild(place.cwd, ["env"], given);
  expect(text).toContain("\nPATH=");
  expect(text).toContain("\nMULTI=one\ntwo\n");
  expect(text).toContain("\nBUN_INSTALL=kept\n");
  expect(text).not.toMatch(/^BUN_(?:BE_BUN|OPTIONS|INSPECT|JSC|FEATURE)/m);
  const all = Object.fromEntries([...internal, "BUN_INSPECT"].map((name) => [name, "1"]));
  expect(commandEnvironment({ ...all, HOME: "/home/x", NOTHING: undefined })).toEqual({ HOME: "/home/x" });
});

posixOnly("without a usable temporary folder commands still run", async () => {
  await using place = await Workspace.open();
  const env = { TMPDIR: place.path("nowhere") };
  const both = await bashInChild(place.cwd, ["echo out; echo err >&2"], env);
  expect(both.text).toContain("\nout\n");
  expect(both.text).toContain("\nerr\n");
  const { text } = await bashInChild(place.cwd, ["seq 1 30000"], env);
  expect(text).toEndWith("\n30000\n\n[exit 0] (full output could not be kept: no such file or directory)");
});

posixOnly("descriptors do not pile up, and none is closed behind its next owner's back", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("probe"), "x");
  await place.ok(bashTool, { command: "echo warm" });
  const opened: FileHandle[] = [];
  for (let run = 0; run < 30; run++) {
    await place.ok(bashTool, { command: "echo hi" });
    opened.push(await open(place.path("probe")));
    Bun.gc(true);
  }
  const numbers = opened.map((file) => file.fd);
  expect(Math.max(...numbers) - Math.min(...numbers)).toBeLessThan(35);
  for (const file of opened) {
    expect((await file.read(Buffer.alloc(1), 0, 1, 0)).bytesRead).toBe(1);
    await file.close();
  }
});
