import { expect, test } from "bun:test";
import { statSync, truncateSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HostError } from "../../src/host/error.ts";
import { ExtensionLog } from "../../src/host/launch/log.ts";
import { tempDir } from "../support/temp-dir.ts";

const MiB = 1024 * 1024;

test("a log is appended to, with a banner for each start and one line for each line", async () => {
  await using home = await tempDir();
  for (let start = 0; start < 2; start += 1) {
    using log = ExtensionLog.open(home.path, "a");
    log.start("a", "1.0");
    log.line("two\nlines");
  }
  const text = await readFile(join(home.path, "logs", "ext-a.log"), "utf8");
  expect(text).toMatch(
    /^(\n\[zot\] starting a\/1\.0 at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\n\[zot\] two\\nlines\n){2}$/,
  );
  expect(statSync(join(home.path, "logs", "ext-a.log")).mode & 0o777).toBe(0o600);
});

test("a large log is put aside at the next start, and the one put aside before goes", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, "logs"));
  const path = join(home.path, "logs", "ext-a.log");
  await writeFile(`${path}.1`, "older");
  await writeFile(path, "x".repeat(MiB + 1));
  using log = ExtensionLog.open(home.path, "a");
  log.line("fresh");
  expect(await readFile(path, "utf8")).toBe("[zot] fresh\n");
  expect(statSync(`${path}.1`).size).toBe(MiB + 1);
});

test("a log that grows without end while it is open is emptied", async () => {
  await using home = await tempDir();
  using log = ExtensionLog.open(home.path, "a");
  const entry = { level: "info", message: "x".repeat(64 * 1024) };
  for (let written = 0; written < 70 * MiB; written += entry.message.length) log.entry(entry);
  expect(statSync(log.path).size).toBeLessThan(10 * MiB);
  expect((await readFile(log.path, "utf8")).slice(0, 40)).toStartWith("[zot] log emptied: it had grown past");
});

test("a log that has grown since it was last looked at is cut when it is closed, and its end is kept", async () => {
  await using home = await tempDir();
  const log = ExtensionLog.open(home.path, "a");
  truncateSync(log.path, 200 * MiB);
  await appendFile(log.path, "the last words");
  log[Symbol.dispose]();
  expect(statSync(log.path).size).toBeLessThan(1_000);
  expect(statSync(`${log.path}.1`).size).toBe(MiB);
  expect(await readFile(`${log.path}.1`, "utf8")).toEndWith("the last words");
});

test("of a log that grew without end while nobody was there only the end is kept", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, "logs"));
  const path = join(home.path, "logs", "ext-a.log");
  await writeFile(path, "");
  truncateSync(path, 200 * MiB);
  using _log = ExtensionLog.open(home.path, "a");
  expect(statSync(path).size).toBeLessThan(1_000);
  expect(statSync(`${path}.1`).size).toBe(MiB);
});

test("a log that another zot has put aside is cut without a word about what is in its place", async () => {
  await using home = await tempDir();
  const first = ExtensionLog.open(home.path, "a");
  truncateSync(first.path, 200 * MiB);
  await rename(first.path, `${first.path}.1`);
  using second = ExtensionLog.open(home.path, "a");
  second.line("of the second");
  first[Symbol.dispose]();
  expect(await readFile(second.path, "utf8")).toBe("[zot] of the second\n");
  expect(statSync(`${first.path}.1`).size).toBeLessThan(1_000);
});

test("a link in the place of the log is not followed", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, "logs"));
  await writeFile(join(home.path, "victim"), "precious");
  await symlink(join(home.path, "victim"), join(home.path, "logs", "ext-a.log"));
  expect(() => ExtensionLog.open(home.path, "a")).toThrow(HostError);
  expect(await readFile(join(home.path, "victim"), "utf8")).toBe("precious");
});

test("a log that is closed takes nothing more", async () => {
  await using home = await tempDir();
  const log = ExtensionLog.open(home.path, "a");
  log.line("one");
  log[Symbol.dispose]();
  log[Symbol.dispose]();
  log.line("two");
  expect(await readFile(log.path, "utf8")).toBe("[zot] one\n");
});

test("a named pipe in the place of a log is refused instead of waited for", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, "logs"));
  const path = join(home.path, "logs", "ext-a.log");
  expect(Bun.spawnSync(["mkfifo", path]).success).toBe(true);
  // In a process of its own, since a wait for the other end would stop this one too.
  const log = JSON.stringify(join(import.meta.dir, "..", "..", "src", "host", "launch", "log.ts"));
  const script = `const { ExtensionLog } = await import(${log}); ExtensionLog.open(${JSON.stringify(home.path)}, "a");`;
  const opened = Bun.spawnSync([process.execPath, "-e", script], { timeout: 20_000, stderr: "pipe" });
  expect(opened.stderr.toString()).toContain(`open log: ${path}: not a regular file`);
});
