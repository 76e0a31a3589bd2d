import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../../support/model-server.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { offline, served, showcase } from "../support/fixtures.ts";
import { openScreen, type Screen } from "../support/screen.ts";

const KEYS = "abcdefghijklmnopqrstuvwxyz".repeat(3);
/** What one prompt of the offline model can be asked to say. */
const LINES_PER_PROMPT = 200;
const RUNS = 7;

export interface KeyFigures {
  /** From a key to the bytes that show it, ms. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Resident memory, MB. */
  readonly rssMb: number;
}

/** How fast keys are with a transcript of so many lines. */
export async function keysWithHistory(lines: number): Promise<KeyFigures> {
  await using screen = await openScreen(offline());
  for (let n = 0; n < lines; n += LINES_PER_PROMPT) {
    const count = Math.min(LINES_PER_PROMPT, lines - n);
    const rows = Array.from({ length: count }, (_, i) => `say - line ${n + i} of the answer, with **bold** words`);
    screen.paste(rows.join("\n"));
    await screen.press("enter");
    await screen.shows(`line ${n + count - 1} of`);
  }
  await screen.settles();
  const times = await keyTimes(screen);
  return { medianMs: quantile(times, 0.5), p95Ms: quantile(times, 0.95), rssMb: rssMb(screen.process.pid) };
}

/** Percent of one core while 200 tokens a second come in, over so many ms. */
export async function streamingCpu(ms: number): Promise<number> {
  const words = Array.from({ length: 2_000 }, (_, n) => (n % 60 === 59 ? `word${n}\n\n` : `word${n} `));
  await using server = await startModelServer([{ text: words, pace: 5 }]);
  await using screen = await openScreen(served(server));
  const { pid } = screen.process;
  await screen.enter("go");
  await screen.shows("word10");
  const before = cpuMs(pid);
  const start = performance.now();
  await Bun.sleep(ms);
  return ((cpuMs(pid) - before) / (performance.now() - start)) * 100;
}

/** From the start of the process to its first row on the screen, ms; the median of several runs. */
export async function firstFrame(extensions: number): Promise<number> {
  await using dir = await tempDir();
  const paths = await Promise.all(
    Array.from({ length: extensions }, async (_, n) => {
      const path = join(dir.path, `e${n}`);
      await cp(showcase, path, { recursive: true });
      await Bun.write(join(path, "extension.json"), JSON.stringify({ name: `e${n}`, exec: "./index.js" }));
      return path;
    }),
  );
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await using screen = await openScreen(offline(...paths));
    await screen.until(() => screen.firstFrameAt > 0, "the first frame");
    times.push(screen.firstFrameAt - start);
  }
  return quantile(times, 0.5);
}

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
  return times;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  // Clock ticks of 10 ms: user and system time.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return (pages * 4096) / 1024 / 1024;
}
