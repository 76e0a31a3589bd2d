import { BuildError } from "../../src/build/error.ts";
import { RawJson } from "../../src/wire/raw-json.ts";
import { benchHost, callTool } from "./bench-host.ts";
import { compared, interleave, type Measurement, timed } from "./measure.ts";
import { writePingPong } from "./ping-pong.ts";

const INTERCEPTORS = 10;
const ROUNDS = 500;
const WARM_UP = 500;

/** One tool call that ten extensions want to see first, against one round trip to each of the ten. */
export async function benchIntercepts(folder: string): Promise<Measurement[]> {
  const guards = Array.from({ length: INTERCEPTORS }, (_, index) => writePingPong(folder, `guard${index}`, true));
  const dirs = guards.map(({ dir }) => dir);
  await using host = await benchHost(folder, dirs);
  const { signal } = new AbortController();
  const call = { id: "call-1", name: "bash", args: RawJson.of({ command: "ls" }) };

  const intercepted = async (): Promise<void> => {
    const verdict = await host.intercepts.toolCall(call, signal);
    if (verdict.kind !== "allowed") throw new BuildError(`the call was blocked: ${verdict.reason}`);
  };
  const roundTrips = async (): Promise<void> => {
    for (const { tool } of guards) await callTool(host, tool, signal);
  };
  for (let index = 0; index < WARM_UP; index++) {
    await intercepted();
    await roundTrips();
  }
  const samples = await interleave(
    ROUNDS,
    () => timed(intercepted),
    () => timed(roundTrips),
  );
  const name = `${INTERCEPTORS} interceptors of one tool call`;
  return [compared({ name, unit: "ms", against: `${INTERCEPTORS} round trips`, promise: 1.2 }, samples)];
}
