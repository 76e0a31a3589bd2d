import { readFileSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../../support/model-server.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { offline, served, showcase } from "../support/fixtures.ts";
import { openScreen, type Screen } from "../support/screen.ts";

// Run by hand: bun test/interactive/bench/screen.ts. Prints one figure a line; nothing is judged here.

const KEYS = "abcdefghijklmnopqrstuvwxyz".repeat(4);

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(56)} ${value.toFixed(1).padStart(8)} ${unit}`);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

/** From a key to the bytes that show it, in ms. */
async function keyTimes(screen: Screen): Promise<number[]> {
  const times: number[] = [];
  for (const key of KEYS) {
    const before = screen.output.length;
    const start = performance.now();
    screen.type(key);
    while (screen.output.length === before) await Bun.sleep(0);
    times.push(performance.now() - start);
    await Bun.sleep(25);
  }
  await screen.press("ctrlC");
  return times;
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return (pages * 4096) / 1024 / 1024;
}

async function keysWithHistory(lines: number): Promise<void> {
  await using screen = await openScreen(offline());
  const perPrompt = 200;
  for (let n = 0; n < lines; n += perPrompt) {
    const count = Math.min(perPrompt, lines - n);
    screen.paste(
      Array.from({ length: count }, (_, i) => `say - line ${n + i} of the answer, with **bold** words`).join("\n"),
    );
    await screen.press("enter");
    await screen.shows(`line ${n + count - 1} of`);
  }
  await screen.settles();
  const times = await keyTimes(screen);
  report(`key to screen, ${lines} lines, median`, quantile(times, 0.5), "ms");
  report(`key to screen, ${lines} lines, 95 %`, quantile(times, 0.95), "ms");
  report(`RSS with ${lines} lines`, rssMb(screen.process.pid), "MB");
}

async function streaming(): Promise<void> {
  const words = Array.from({ length: 2_000 }, (_, n) => (n % 60 === 59 ? `word${n}\n\n` : `word${n} `));
  await using server = await startModelServer([{ text: words, pace: 5 }]);
  await using screen = await openScreen(served(server));
  const { pid } = screen.process;
  await screen.enter("go");
  await screen.shows("word10");
  const before = cpuMs(pid);
  const start = performance.now();
  await Bun.sleep(8_000);
  report("CPU while streaming 200 tokens/s", ((cpuMs(pid) - before) / (performance.now() - start)) * 100, "%");
}

async function firstFrames(extensions: number): Promise<void> {
  await using dir = await tempDir();
  const paths = await Promise.all(
    Array.from({ length: extensions }, async (_, n) => {
      const path = join(dir.path, `e${n}`);
      await cp(showcase, path, { recursive: true });
      await Bun.write(join(path, "extension.json"), JSON.stringify({ name: `e${n}`, exec: "./index.ts" }));
      return path;
    }),
  );
  await mkdir(join(dir.path, "home"), { recursive: true });
  const times: number[] = [];
  for (let run = 0; run < 7; run += 1) {
    const start = performance.now();
    await using screen = await openScreen(offline(...paths), { home: join(dir.path, "home") });
    await screen.until(() => screen.output.includes("zot "), "the first frame");
    times.push(screen.firstFrameAt - start);
  }
  report(`first frame with ${extensions} extensions, median`, quantile(times, 0.5), "ms");
}

for (const extensions of [0, 10, 50]) await firstFrames(extensions);
await keysWithHistory(100);
await streaming();
await keysWithHistory(20_000);
