import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, readdir, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { Workspace } from "./support/workspace.ts";

async function placeWith(content: string | Uint8Array): Promise<Workspace> {
  const place = await Workspace.open();
  await writeFile(place.path("a.txt"), content);
  return place;
}

function edits(...pairs: [oldText: string, newText: string][]) {
  return { path: "a.txt", edits: pairs.map(([oldText, newText]) => ({ oldText, newText })) };
}

test("the result is a diff with three lines around each change and no header", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  await using place = await placeWith(`${lines.join("\n")}\n`);
  const diff = await place.ok(editTool, edits(["line 2\n", "two\n"], ["line 15", "line fifteen"]));
  expect(diff.split("\n")).toEqual([
    " line 1",
    "-line 2",
    "+two",
    " line 3",
    " line 4",
    " line 5",
    "...",
    " line 12",
    " line 13",
    " line 14",
    "-line 15",
    "+line fifteen",
    " line 16",
    " line 17",
    " line 18",
  ]);
});

test("the notes of the patch format about a missing last newline are left out", async () => {
  await using place = await placeWith("a");
  expect(await place.ok(editTool, edits(["a", "b"]))).toBe("-a\n+b");
  expect(await place.ok(editTool, edits(["b", "b\n"]))).toBe("-b\n+b");
  expect(await place.bytes("a.txt")).toBe("b\n");
});

test("all edits look at the original text", async () => {
  await using place = await placeWith("a b");
  await place.ok(editTool, edits(["b", "a"], ["a", "b"]));
  expect(await place.bytes("a.txt")).toBe("b a");
});

test("a text that occurs several times is refused with its lines, overlapping ones counted", async () => {
  await using place = await placeWith("aaa\nx\nx\naa\nx\nx\nx\nx\n");
  expect(await place.fails(editTool, edits(["aa", "b"]))).toBe(
    "edits[0].oldText has 3 matches in a.txt (lines 1, 1, 4); add text around it until it has one",
  );
  expect(await place.fails(editTool, edits(["aaa", "b"], ["x", "y"]))).toBe(
    "edits[1].oldText has 6 matches in a.txt (lines 2, 3, 5, 6, 7, ...); add text around it until it has one",
  );
  expect(await place.bytes("a.txt")).toBe("aaa\nx\nx\naa\nx\nx\nx\nx\n");
});

test("impossible edits are refused and change nothing", async () => {
  await using place = await placeWith("one two three\r\n");
  expect(await place.fails(editTool, edits(["one", "1"], ["four", "4"]))).toBe(
    "edits[1].oldText was not found in a.txt; it must match the file exactly, including white space",
  );
  expect(await place.fails(editTool, edits(["", "x"]))).toBe("edits[0].oldText is empty");
  expect(await place.fails(editTool, edits(["three\n", "three\r\n"]))).toBe(
    "edits[0].oldText and newText are the same; there is nothing to change",
  );
  expect(await place.fails(editTool, edits(["one two", "x"], ["two three", "y"]))).toBe(
    "edits overlap; merge them into one edit",
  );
  expect(await place.fails(editTool, edits(["one", "x"], ["one", "y"]))).toBe(
    "edits overlap; merge them into one edit",
  );
  expect(await place.bytes("a.txt")).toBe("one two three\r\n");
});

test("edits that touch do not overlap", async () => {
  await using place = await placeWith("onetwo");
  await place.ok(editTool, edits(["two", "2"], ["one", "1"]));
  expect(await place.bytes("a.txt")).toBe("12");
});

test("mixed line endings stay as they are around and inside of an edit (BUG-44)", async () => {
  await using place = await placeWith("a\r\nb\nc\r\nd\ne\r\n");
  await place.ok(editTool, edits(["b\nc\nd", "b\nC\nd"]));
  expect(await place.bytes("a.txt")).toBe("a\r\nb\nC\r\nd\ne\r\n");
  await place.ok(editTool, edits(["a\nb\n", "A\nB\n"]));
  expect(await place.bytes("a.txt")).toBe("A\r\nB\nC\r\nd\ne\r\n");
});

test("new lines take the ending of the lines around them", async () => {
  await using place = await placeWith("a\r\nb\r\nc\nd\n");
  await place.ok(editTool, edits(["b", "b\nb2"], ["d", "d\r\nd2"]));
  expect(await place.bytes("a.txt")).toBe("a\r\nb\r\nb2\r\nc\nd\nd2\n");
});

test("operands may be written with either line ending", async () => {
  await using place = await placeWith("a\nb\nc\n");
  await place.ok(editTool, edits(["a\r\nb", "x\r\ny"]));
  expect(await place.bytes("a.txt")).toBe("x\ny\nc\n");
  expect(await place.ok(editTool, edits(["c\n", "c\nd\n"]))).toBe(" x\n y\n c\n+d");
});

test("a byte order mark stays, whether or not the model quotes it", async () => {
  await using place = await placeWith("\ufeffone\ntwo\n");
  await place.ok(editTool, edits(["one", "1"]));
  await place.ok(editTool, edits(["\ufeff1\n", "\ufeffeins\n"]));
  expect(await place.bytes("a.txt")).toBe("\xef\xbb\xbfeins\ntwo\n");
});

test("bytes that are no valid UTF-8 survive", async () => {
  await using place = await placeWith(Buffer.from("caf\xe9 \xff\xfe one\r\nz\xfcrich\n", "latin1"));
  await place.ok(editTool, edits(["one", "é"]));
  expect(await place.bytes("a.txt")).toBe("caf\xe9 \xff\xfe \xc3\xa9\r\nz\xfcrich\n");
});

test("a lone carriage return is a character, not a line ending", async () => {
  await using place = await placeWith("a\rb\r\r\nc");
  await place.ok(editTool, edits(["c", "d\ne"]));
  expect(await place.bytes("a.txt")).toBe("a\rb\r\r\nd\r\ne");
});

test.skipIf(process.platform === "win32")("mode and symbolic link are kept", async () => {
  await using place = await placeWith("one");
  await chmod(place.path("a.txt"), 0o750);
  await symlink("a.txt", place.path("link"));
  await place.ok(editTool, { ...edits(["one", "two"]), path: "link" });
  expect((await stat(place.path("a.txt"))).mode & 0o777).toBe(0o750);
  expect((await lstat(place.path("link"))).isSymbolicLink()).toBeTrue();
  expect(await place.bytes("a.txt")).toBe("two");
  expect((await readdir(place.cwd)).sort()).toEqual(["a.txt", "link"]);
});

test("what cannot be edited is named", async () => {
  await using place = await placeWith("one");
  await mkdir(place.path("folder"));
  await writeFile(place.path("big"), "");
  await truncate(place.path("big"), 40 * 1024 * 1024);
  const wanted = edits(["one", "two"]).edits;
  expect(await place.fails(editTool, { path: "nope", edits: wanted })).toBe("nope: no such file or directory");
  expect(await place.fails(editTool, { path: "folder", edits: wanted })).toBe("folder is a directory");
  expect(await place.fails(editTool, { path: "big", edits: wanted })).toBe(
    "big is too large to edit: 41943040 bytes, the limit is 32 MiB",
  );
});

test("a hopeless diff is given up, not the edit", async () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `before ${index}\n`).join("");
  const after = Array.from({ length: 20_000 }, (_, index) => `after ${index}\n`).join("");
  await using place = await placeWith(before);
  expect(await place.ok(editTool, edits([before, after]))).toBe("(the change is too large to be shown as a diff)");
  expect(await place.bytes("a.txt")).toBe(after);
});

test("a long diff is capped at 32 KiB", async () => {
  await using place = await placeWith("x");
  const diff = await place.ok(editTool, edits(["x", "long line\n".repeat(10_000)]));
  expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(32 * 1024);
  expect(diff).toEndWith("\n... [truncated at 32768 bytes]");
});
