import { expect, test } from "bun:test";
import { mkdir, open, symlink, truncate, writeFile } from "node:fs/promises";
import { readTool } from "../../../src/agent/tools/read.ts";
import { Workspace } from "./support/workspace.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const JPEG = Buffer.from("ffd8ffe000104a46494600010100", "hex");
const WEBP = Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1");

test("text comes back raw, with its own line endings and without line numbers", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "\ufeffone\r\ntwo\n\n\tthree – ü");
  expect(await place.ok(readTool, { path: "a.txt" })).toBe("\ufeffone\r\ntwo\n\n\tthree – ü");
  expect(await place.ok(readTool, { path: place.path("a.txt") })).toContain("three");
});

test("an empty file is an empty text", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "");
  expect(await place.ok(readTool, { path: "a.txt" })).toBe("");
});

test("offset counts from 1 and limit counts lines, silently", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "1\n2\n3\n4");
  expect(await place.ok(readTool, { path: "a.txt", offset: 2, limit: 2 })).toBe("2\n3\n");
  expect(await place.ok(readTool, { path: "a.txt", offset: 4 })).toBe("4");
  expect(await place.ok(readTool, { path: "a.txt", offset: 1, limit: 1 })).toBe("1\n");
  expect(await place.ok(readTool, { path: "a.txt", offset: 0, limit: 0 })).toBe("1\n2\n3\n4");
});

test("an offset beyond the end says how long the file is", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("a.txt"), "1\n2\n3\n");
  await writeFile(place.path("b.txt"), "1\n2\n3");
  expect(await place.fails(readTool, { path: "a.txt", offset: 4 })).toBe(
    "offset 4 is beyond the end of a.txt (3 lines)",
  );
  expect(await place.fails(readTool, { path: "b.txt", offset: 9 })).toBe(
    "offset 9 is beyond the end of b.txt (3 lines)",
  );
  expect(await place.ok(readTool, { path: "b.txt", offset: 3 })).toBe("3");
});

test("2000 lines are shown, and the marker only when there are more", async () => {
  await using place = await Workspace.open();
  const lines = Array.from({ length: 2001 }, (_, index) => `${index + 1}\n`);
  await writeFile(place.path("exact.txt"), lines.slice(0, 2000).join(""));
  await writeFile(place.path("more.txt"), lines.join(""));
  expect(await place.ok(readTool, { path: "exact.txt" })).toBe(lines.slice(0, 2000).join(""));
  const cut = `${lines.slice(0, 2000).join("")}... [truncated at 2000 lines]`;
  expect(await place.ok(readTool, { path: "more.txt" })).toBe(cut);
  expect(await place.ok(readTool, { path: "more.txt", limit: 5000 })).toBe(cut);
  expect(await place.ok(readTool, { path: "more.txt", offset: 2 })).toBe(lines.slice(1).join(""));
});

test("the byte bound is exact and splits no character", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("exact.txt"), "x".repeat(51_200));
  await writeFile(place.path("more.txt"), `${"x".repeat(51_199)}üy`);
  expect(await place.ok(readTool, { path: "exact.txt" })).toBe("x".repeat(51_200));
  expect(await place.ok(readTool, { path: "more.txt" })).toBe(`${"x".repeat(51_199)}\n... [truncated at 51200 bytes]`);
});

test("lines far beyond the byte bound can be reached (BUG-43)", async () => {
  await using place = await Workspace.open();
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index + 1} ${"x".repeat(60)}\n`);
  await writeFile(place.path("long.txt"), lines.join(""));
  expect(await place.ok(readTool, { path: "long.txt", offset: 39_999 })).toBe(lines.slice(39_998).join(""));
  expect(await place.ok(readTool, { path: "long.txt", offset: 20_000, limit: 2 })).toBe(
    lines.slice(19_999, 20_001).join(""),
  );
});

test("every line comes back exactly once when a file is paged through, wherever the chunks end", async () => {
  await using place = await Workspace.open();
  const lines = Array.from({ length: 3000 }, (_, index) => `${"ü".repeat(index % 97)}${index}\n`);
  await writeFile(place.path("pages.txt"), lines.join(""));
  let read = "";
  for (let offset = 1; offset <= 3000; offset += 250) {
    read += await place.ok(readTool, { path: "pages.txt", offset, limit: 250 });
  }
  expect(read).toBe(lines.join(""));
});

test("a NUL within 8 KiB makes a file binary, a later one does not", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("near.bin"), `${"x".repeat(8191)}\0`);
  await writeFile(place.path("far.txt"), `${"x".repeat(8192)}\0`);
  expect(await place.fails(readTool, { path: "near.bin" })).toBe("near.bin looks binary; refusing to read as text");
  expect(await place.ok(readTool, { path: "far.txt" })).toHaveLength(8193);
});

test("what is no file is named for what it is", async () => {
  await using place = await Workspace.open();
  await mkdir(place.path("folder"));
  await symlink("loop", place.path("loop"));
  await writeFile(place.path("file"), "");
  expect(await place.fails(readTool, { path: "folder" })).toBe("folder is a directory");
  expect(await place.fails(readTool, { path: "nope.txt" })).toBe("nope.txt: no such file or directory");
  expect(await place.fails(readTool, { path: "file/x" })).toBe("file/x: a part of the path is not a directory");
  expect(await place.fails(readTool, { path: "loop" })).toBe("loop: too many levels of symbolic links");
  expect(await place.fails(readTool, { path: "a\0b" })).toBe("a\0b: contains a NUL character");
  expect(await place.fails(readTool, { path: "x".repeat(300) })).toEndWith(": file name too long");
});

test.skipIf(process.platform === "win32")("a named pipe without a writer does not hang the tool", async () => {
  await using place = await Workspace.open();
  expect(Bun.spawnSync(["mkfifo", place.path("pipe")]).success).toBeTrue();
  expect(await place.fails(readTool, { path: "pipe" })).toBe("pipe is not a regular file");
});

test("~ is a plain character", async () => {
  await using place = await Workspace.open();
  await mkdir(place.path("~"));
  await writeFile(place.path("~/a.txt"), "here");
  expect(await place.ok(readTool, { path: "~/a.txt" })).toBe("here");
});

test("an image is declared as what its bytes are, whatever its name says", async () => {
  await using place = await Workspace.open();
  const files: [string, Buffer, string][] = [
    ["a.png", PNG, "image/png"],
    ["b.PNG", JPEG, "image/jpeg"],
    ["c.jpg", Buffer.from("GIF89a......"), "image/gif"],
    ["d.gif", WEBP, "image/webp"],
    ["e.jpeg", JPEG, "image/jpeg"],
    ["f.webp", WEBP, "image/webp"],
  ];
  for (const [name, bytes, mimeType] of files) {
    await writeFile(place.path(name), bytes);
    const outcome = await place.run(readTool, { path: name });
    expect(outcome).toEqual({
      content: [{ type: "image", mimeType, data: bytes.toString("base64") }],
      isError: false,
    });
  }
});

test("a text under the name of an image is read as text, and unknown binary is refused", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("pointer.png"), "version https://git-lfs.github.com/spec/v1\n");
  await writeFile(place.path("broken.png"), Buffer.alloc(64));
  expect(await place.ok(readTool, { path: "pointer.png" })).toStartWith("version ");
  expect(await place.fails(readTool, { path: "broken.png" })).toBe("broken.png looks binary; refusing to read as text");
});

test("an image beyond 5 MiB is refused with its size", async () => {
  await using place = await Workspace.open();
  await writeFile(place.path("big.png"), PNG);
  await truncate(place.path("big.png"), 7.5 * 1024 * 1024);
  expect(await place.fails(readTool, { path: "big.png" })).toBe(
    "big.png is an image of 7.5 MiB; the limit is 5 MiB. Scale it down first.",
  );
  await truncate(place.path("big.png"), 5 * 1024 * 1024);
  expect((await place.run(readTool, { path: "big.png" })).isError).toBeFalse();
});

test("reading ends when the turn is cancelled", async () => {
  await using place = await Workspace.open();
  const file = await open(place.path("sparse.txt"), "w");
  await file.write("x".repeat(8192));
  await file.truncate(1024 * 1024 * 1024);
  await file.close();
  const reading = place.fails(readTool, { path: "sparse.txt", offset: 2 });
  place.abort.abort();
  expect(await reading).toBe("cancelled");
});
