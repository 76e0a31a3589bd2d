import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "../../src/build/command.ts";
import { BuildError } from "../../src/build/error.ts";
import { binary } from "../../src/build/project.ts";
import { firstFrame, keysWithHistory, streamingCpu } from "../interactive/bench/screen.ts";
import { compared, interleave, type Measurement } from "./measure.ts";

const ROUNDS = 21;
const DEADLINE_MS = 60_000;
const FRAME_DEADLINE_MS = 10_000;
const STREAM_MS = 4_000;
const SHORT_LINES = 100;
const LONG_LINES = 20_000;

/** What a person feels of the screen: when it is there, how fast it follows keys, what it costs while a model writes. */
export async function benchScreen(folder: string): Promise<Measurement[]> {
  return [await firstFrameRatio(folder), ...(await crowdedFrames()), ...(await keys()), await streaming()];
}

/** From the start of the process to its first row on a terminal, against the least that a compiled program can do. */
async function firstFrameRatio(folder: string): Promise<Measurement> {
  const source = join(folder, "hello.ts");
  const hello = join(folder, "hello");
  writeFileSync(source, 'console.log("hello");\n');
  const build = [process.execPath, "build", "--compile", "--minify", "--bytecode", "--format=esm", source, "--outfile"];
  await commandOrThrow([...build, hello], { cwd: folder, deadlineMs: DEADLINE_MS });
  const samples = await interleave(
    ROUNDS,
    () => untilShown(folder, [binary, "--provider", "offline", "--no-ext", "--no-session"], "zot "),
    () => untilShown(folder, [hello], "hello"),
  );
  return compared({ name: "first frame", unit: "ms", against: "compiled hello world", goal: 5 }, samples);
}

/** Milliseconds from the start of a program to `text` on its terminal. */
async function untilShown(folder: string, argv: readonly string[], text: string): Promise<number> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ZOT_HOME: join(folder, "zot"), TERM: "xterm-256color" };
  const shown = Promise.withResolvers<number>();
  const decoder = new TextDecoder();
  let output = "";
  const started = performance.now();
  const program = Bun.spawn([...argv], {
    cwd: folder,
    env,
    terminal: {
      cols: 80,
      rows: 24,
      data: (_terminal, bytes) => {
        output += decoder.decode(bytes, { stream: true });
        if (output.includes(text)) shown.resolve(performance.now() - started);
      },
    },
  });
  const timer = setTimeout(() => {
    shown.reject(new BuildError(`${argv.join(" ")} showed no ${JSON.stringify(text)} in ${FRAME_DEADLINE_MS} ms`));
  }, FRAME_DEADLINE_MS);
  try {
    return await shown.promise;
  } finally {
    clearTimeout(timer);
    program.kill("SIGKILL");
    await program.exited;
    program.terminal?.close();
  }
}

async function crowdedFrames(): Promise<Measurement[]> {
  const [none, ten, fifty] = [await firstFrame(0), await firstFrame(10), await firstFrame(50)];
  const row = (count: number, ours: number): Measurement => ({
    name: `first frame, ${count} extensions`,
    unit: "ms",
    ours,
    baseline: none,
    against: "none",
    ratio: ours / none,
  });
  return [row(10, ten), row(50, fifty)];
}

async function keys(): Promise<Measurement[]> {
  const [short, long] = [await keysWithHistory(SHORT_LINES), await keysWithHistory(LONG_LINES)];
  const against = `${SHORT_LINES} lines`;
  const name = (what: string): string => `${what}, ${LONG_LINES.toLocaleString("en")} lines`;
  return [
    {
      ...{ name: name("key to screen"), unit: "ms", against },
      ...{ ours: long.medianMs, baseline: short.medianMs, ratio: long.medianMs / short.medianMs },
    },
    {
      ...{ name: name("memory of the screen (RSS)"), unit: "MB", against },
      ...{ ours: long.rssMb, baseline: short.rssMb, ratio: long.rssMb / short.rssMb },
    },
  ];
}

async function streaming(): Promise<Measurement> {
  return { name: "a core, 200 tokens/s", unit: "%", ours: await streamingCpu(STREAM_MS) };
}
