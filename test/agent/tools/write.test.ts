import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { fileError } from "../../../src/agent/tools/file-error.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { Workspace } from "./support/workspace.ts";

const posixOnly = test.skipIf(process.platform === "win32");
/** Permissions mean nothing to root. */
const userOnly = test.skipIf(process.platform === "win32" || process.getuid?.() === 0);

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o7777).toString(8);
}

test("content is written exactly and is the result", async () => {
  await using place = await Workspace.open();
  const content = "\ufeffone\r\ntwo\n\tü 🎉\0end";
  expect(await place.ok(writeTool, { path: "a.txt", content })).toBe(content);
  expect(await readFile(place.path("a.txt"), "utf8")).toBe(content);
  expect(await place.ok(writeTool, { path: "a.txt", content: "" })).toBe("");
  expect(await readFile(place.path("a.txt"), "utf8")).toBe("");
});

test("what is echoed is capped at 32 KiB, what is written is not", async () => {
  await using place = await Workspace.open();
  const content = "ü".repeat(40_000);
  const echo = await place.ok(writeTool, { path: "a.txt", content });
  expect(Buffer.byteLength(echo)).toBeLessThanOrEqual(32 * 1024);
  expect(Buffer.byteLength(echo)).toBeGreaterThan(32 * 1024 - 4);
  expect(echo).toMatch(/^ü+\n\.\.\. \[truncated at 32768 bytes\]$/);
  expect(await readFile(place.path("a.txt"), "utf8")).toBe(content);
});

posixOnly("parents are made, a new file gets 0644 and an existing one keeps its mode", async () => {
  await using place = await Workspace.open();
  await place.ok(writeTool, { path: "x/y/new.txt", content: "1" });
  expect(await modeOf(place.path("x/y/new.txt"))).toBe((0o644 & ~process.umask()).toString(8));
  for (const mode of [0o755, 0o600, 0o640]) {
    await chmod(place.path("x/y/new.txt"), mode);
    await place.ok(writeTool, { path: "x/y/new.txt", content: "2" });
    expect(await modeOf(place.path("x/y/new.txt"))).toBe(mode.toString(8));
  }
});

posixOnly("a file is replaced as a whole: whoever has the old one open keeps all of it", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "old");
  const before = await stat(place.path("a.txt"));
  await place.ok(writeTool, { path: "a.txt", content: "new" });
  expect((await stat(place.path("a.txt"))).ino).not.toBe(before.ino);
  expect(await readdir(place.cwd)).toEqual(["a.txt"]);
});

posixOnly("symbolic links stay and their targets change, also when there is no target yet", async () => {
  await using place = await Workspace.open();
  await mkdir(place.path("real"));
  await writeFile(place.path("real/a.txt"), "old");
  await symlink("real/a.txt", place.path("link"));
  await symlink("link", place.path("chain"));
  await symlink("real/later.txt", place.path("dangling"));
  await place.ok(writeTool, { path: "chain", content: "new" });
  await place.ok(writeTool, { path: "dangling", content: "made" });
  expect(await readFile(place.path("real/a.txt"), "utf8")).toBe("new");
  expect(await readFile(place.path("real/later.txt"), "utf8")).toBe("made");
  for (const name of ["link", "chain", "dangling"]) {
    expect((await lstat(place.path(name))).isSymbolicLink()).toBeTrue();
  }
});

posixOnly("a name of 255 bytes leaves room for the temporary file", async () => {
  await using place = await Workspace.open();
  await place.ok(writeTool, { path: "x".repeat(255), content: "1" });
  expect(await readdir(place.cwd)).toEqual(["x".repeat(255)]);
});

test("failures name the path and the reason and leave nothing behind", async () => {
  await using place = await Workspace.open();
  await mkdir(place.path("folder"));
  await writeFile(place.path("file"), "1");
  expect(await place.fails(writeTool, { path: "folder", content: "" })).toBe("folder: is a directory");
  expect(await place.fails(writeTool, { path: "file/x/y", content: "" })).toBe(
    "file/x/y: a part of the path is not a directory",
  );
  expect(await place.fails(writeTool, { path: "x".repeat(300), content: "" })).toEndWith(": file name too long");
  expect(await place.fails(writeTool, { path: "a\0b", content: "" })).toBe("a\0b: contains a NUL character");
  expect((await readdir(place.cwd)).sort()).toEqual(["file", "folder"]);
});

posixOnly("a device stays a device, and a circle of links is an error", async () => {
  await using place = await Workspace.open();
  await symlink("/dev/null", place.path("null"));
  await symlink("loop", place.path("loop"));
  expect(await place.fails(writeTool, { path: "null", content: "x" })).toBe("null: not a regular file");
  expect((await stat("/dev/null")).isCharacterDevice()).toBeTrue();
  expect(await place.fails(writeTool, { path: "loop", content: "x" })).toBe("loop: too many levels of symbolic links");
});

userOnly("a write-protected file is not overwritten, although its folder would allow it", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "old", { mode: 0o444 });
  expect(await place.fails(writeTool, { path: "a.txt", content: "new" })).toBe("a.txt: permission denied");
  expect(await readFile(place.path("a.txt"), "utf8")).toBe("old");
});

userOnly("a file in a write-protected folder is still written, in place", async () => {
  await using place = await Workspace.open();
  await mkdir(place.path("folder"));
  await writeFile(place.path("folder/a.txt"), "old");
  await chmod(place.path("folder"), 0o555);
  await place.ok(writeTool, { path: "folder/a.txt", content: "new" });
  expect(await place.fails(writeTool, { path: "folder/b.txt", content: "new" })).toBe(
    "folder/b.txt: permission denied",
  );
  await chmod(place.path("folder"), 0o755);
  expect(await readFile(place.path("folder/a.txt"), "utf8")).toBe("new");
});

test("nothing is written for a cancelled turn", async () => {
  await using place = await Workspace.open();
  place.abort.abort();
  expect(await place.fails(writeTool, { path: "a.txt", content: "x" })).toBe("cancelled");
  expect(await readdir(place.cwd)).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a full disk is said in words", () => {
  let caught: unknown;
  try {
    writeFileSync("/dev/full", "x");
  } catch (error) {
    caught = error;
  }
  expect(fileError("a.txt", caught)).toBe("a.txt: no space left on device");
});
