import { createServer, type Socket } from "node:net";
import { CountingClient } from "./counting-client.ts";
import { type Measurement, median } from "./measure.ts";
import { ownShareMb } from "./memory.ts";

const WORDS = 20_000;
const ROUNDS = 5;
const LATENCY_ROUNDS = 31;

/** `zot rpc` with a reader that only counts lines. */
export async function benchRpc(folder: string): Promise<Measurement[]> {
  return [
    { name: "rpc: one piece of an answer, as a delta", unit: "us", ours: await eventMicroseconds(folder, "delta") },
    { name: "rpc: one piece of an answer, in full", unit: "us", ours: await eventMicroseconds(folder, "full") },
    { name: "rpc: prompt line to first byte at the provider", unit: "ms", ours: await latency(folder) },
    { name: "rpc: memory of its own, idle", unit: "MB", ours: await idleMemory(folder) },
  ];
}

/** What one piece of an answer costs from the model to the reader. */
async function eventMicroseconds(folder: string, messageUpdates: string): Promise<number> {
  const samples: number[] = [];
  await using zot = new CountingClient(folder, ["--provider", "offline"]);
  await zot.ask({ id: "f", type: "set_event_filter", events: null, messageUpdates });
  const message = `say ${"word ".repeat(WORDS)}`;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    zot.send({ id: `p${round}`, type: "prompt", message });
    await zot.until('"type":"session_settled"');
    samples.push(((performance.now() - started) * 1_000) / WORDS);
  }
  return median(samples);
}

async function latency(folder: string): Promise<number> {
  const arrived: (() => void)[] = [];
  const server = createServer((socket: Socket) => {
    socket.once("data", () => arrived.shift()?.());
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const args = [
    "--provider",
    "openai",
    "--base-url",
    `http://127.0.0.1:${port}/v1`,
    "--model",
    "fake",
    "--api-key",
    "x",
  ];
  const samples: number[] = [];
  try {
    await using zot = new CountingClient(folder, args);
    await zot.ask({ id: "r", type: "set_auto_retry", enabled: false });
    for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
      const first = new Promise<void>((resolve) => arrived.push(resolve));
      const started = performance.now();
      zot.send({ id: `p${round}`, type: "prompt", message: "hi" });
      await first;
      samples.push(performance.now() - started);
      zot.send({ id: `a${round}`, type: "abort" });
      await zot.until('"type":"session_settled"');
    }
  } finally {
    server.close();
  }
  return median(samples);
}

async function idleMemory(folder: string): Promise<number> {
  await using zot = new CountingClient(folder, ["--provider", "offline"]);
  await zot.ask({ id: "s", type: "get_state" });
  return ownShareMb(zot.pid) ?? Number.NaN;
}
