import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { elideToFit } from "../../src/surfaces/rpc/omp/elide.ts";
import { SerialQueue } from "../../src/surfaces/rpc/serial-queue.ts";
import { inputLines } from "../../src/surfaces/rpc/transport/input.ts";
import { SpillFile } from "../../src/surfaces/rpc/transport/spill-file.ts";
import { repoRoot } from "../support/zot.ts";

async function* bytes(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk);
}

async function linesOf(limit: number, ...chunks: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of inputLines(bytes(...chunks), limit))
    lines.push(line.kind === "line" ? line.text : "TOO LONG");
  return lines;
}

describe("lines from the client", () => {
  test("one that is too long is told once and skipped to its end, whatever the chunks", async () => {
    const long = "x".repeat(50);
    const whole = `a\n${long}\nb\n${long}${long}\nc`;
    const expected = ["a", "TOO LONG", "b", "TOO LONG", "c"];
    expect(await linesOf(20, whole)).toEqual(expected);
    for (const size of [1, 3, 7, 19, 20, 21, 64]) {
      const chunks = whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(await linesOf(20, ...chunks)).toEqual(expected);
    }
  });

  test("the end within a line that is too long ends it", async () => {
    expect(await linesOf(20, "a\n", "x".repeat(30))).toEqual(["a", "TOO LONG"]);
  });
});

describe("a spill file", () => {
  test("gives back what it was given, in order, and is empty again", () => {
    using file = new SpillFile();
    const decoder = new TextDecoder();
    for (let round = 0; round < 3; round += 1) {
      const lines = Array.from({ length: 1_000 }, (_, index) => `${round} ${index} ${"é".repeat(index % 200)}\n`);
      let taken = "";
      for (const [index, line] of lines.entries()) {
        file.append(line);
        if (index % 100 === 0) taken += decoder.decode(file.take(), { stream: true });
      }
      while (!file.isEmpty) taken += decoder.decode(file.take(), { stream: true });
      expect(taken).toBe(lines.join(""));
    }
  });
});

describe("a frame that has to be cut", () => {
  const size = (value: unknown): number => JSON.stringify(value).length;

  test("is cut no more than it takes, and says where", () => {
    const fields = { text: "t".repeat(300_000), list: Array.from({ length: 600 }, (_, index) => index), keep: true };
    const cut = elideToFit(fields, (candidate) => size(candidate) < 280_000);
    expect(cut).toMatchObject({ keep: true });
    expect(String(cut?.["text"])).toBe(
      `${"t".repeat(256 * 1024)}\n…[${300_000 - 256 * 1024} chars elided for RPC frame]`,
    );
    const list = cut?.["list"];
    expect(Array.isArray(list) ? list.at(-1) : undefined).toBe("…[88 items elided for RPC frame]");
  });

  test("objects lose members, and a frame that is too large all the same is given up", () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]));
    const cut = elideToFit({ wide }, (candidate) => size(candidate) < 8_000);
    expect(cut?.["wide"]).toMatchObject({ k0: 0, k511: 511, rpcFrameElidedKeys: 488 });
    expect(elideToFit({ wide }, () => false)).toBeUndefined();
  });
});

describe("a queue of commands", () => {
  test("runs them one by one once it is open, past one that fails", async () => {
    const told: string[] = [];
    const queue = new SerialQueue(
      { jobs: 2, weight: 1_000 },
      { open: false, onDefect: (error) => told.push(String(error)) },
    );
    const job = (name: string) => async (): Promise<void> => {
      told.push(`${name} begins`);
      await Promise.resolve();
      if (name === "b") throw new Error("broken");
      told.push(`${name} ends`);
    };
    queue.add(job("a"));
    queue.add(job("b"));
    expect(queue.isFull).toBe(true);
    const room = queue.room().then(() => told.push("room"));
    queue.add(job("c"));
    await Promise.resolve();
    expect(told).toEqual([]);
    queue.open();
    await queue.idle();
    await room;
    expect(told.filter((line) => line !== "room")).toEqual([
      "a begins",
      "a ends",
      "b begins",
      "Error: broken",
      "c begins",
      "c ends",
    ]);
  });
});

test("whatever is printed in the process goes to stderr", async () => {
  const guard = join(repoRoot, "src", "surfaces", "rpc", "transport", "stdout-guard.ts");
  const script = `
    const { guardStdout } = await import(${JSON.stringify(guard)});
    guardStdout();
    console.log("log"); console.info("info"); console.debug("debug"); console.table([1]); console.dir({ a: 1 });
    console.group("group"); process.stdout.write("write\\n");
    const writer = Bun.stdout.writer();
    writer.write("frame\\n");
    await writer.flush();
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(stdout).toBe("frame\n");
  for (const word of ["log", "info", "debug", "group", "write"]) expect(stderr).toContain(word);
});
