import { expect, setDefaultTimeout, test } from "bun:test";
import { STOP_GRACE_MS } from "../../src/wire/limits.ts";
import { isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";
import { AgentWorld } from "./support/agent-world.ts";

// extension-host.md §10, Framing: events for those who read them, and for those who do not.

setDefaultTimeout(30_000);

const EVENTS = 1_000;

/** Python: subscribes to everything, then reads nothing; from SIGUSR1 on it reads again. */
const DEAF = `
import signal
woken = threading.Event()
signal.signal(signal.SIGUSR1, lambda *_: woken.set())
hello()
emit("subscribe", events=["turn_start", "turn_end", "tool_call", "assistant_message"])
ready()
while not woken.wait(0.05):
    pass
idle()
`;

test("045 an extension that reads nothing while 1,000 events are sent delays neither who sends them, nor a turn, nor the end; of its events the oldest go", async () => {
  await using world = await AgentWorld.create({
    turns: [{ calls: [{ name: "quick" }] }, { text: "done" }],
    extensions: (host) => {
      for (const name of ["dozing", "deaf"]) host.python(name, DEAF);
      host.python(
        "lively",
        `
        hello()
        tool("quick")
        ready()
        for frame in frames():
            if frame["type"] == "tool_call":
                result(frame, "at once")
        `,
      );
    },
  });
  const { extensions } = world;
  await extensions.host.whenReady();
  const text = "x".repeat(4 * 1024);
  let started = performance.now();
  for (let step = 1; step <= EVENTS; step += 1) extensions.host.events.emit("assistant_message", { step, text });
  expect(performance.now() - started).toBeLessThan(1_000);

  started = performance.now();
  await world.say("go");
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(world.results).toEqual([{ text: "at once", isError: false }]);

  process.kill(extensions.pid("dozing"), "SIGUSR1");
  const steps = await until("the last event", () => {
    const read = extensions.framesOf("dozing", "event").filter(({ text: said }) => said === text);
    return read.at(-1)?.["step"] === EVENTS ? read.map(({ step }) => Number(step)) : undefined;
  });
  expect(steps[0]).toBe(1);
  expect(steps.length).toBeLessThan(EVENTS);
  expect(steps.slice(-150)).toEqual(Array.from({ length: 150 }, (_, index) => EVENTS - 149 + index));
  expect(steps).toEqual([...steps].sort((a, b) => a - b));

  const pid = extensions.pid("deaf");
  started = performance.now();
  await extensions.host.stop(STOP_GRACE_MS);
  // The grace that everybody gets, and SIGTERM.
  expect(performance.now() - started).toBeLessThan(STOP_GRACE_MS + 1_000);
  expect(isRunning(pid)).toBe(false);
});

test("046 a hundred events sent at once arrive in the order in which they were sent", async () => {
  await using world = await AgentWorld.create({
    turns: [],
    extensions: (host) => {
      host.shell(
        "a",
        `
        printf '%s\\n' '{"type":"hello","name":"a"}' '{"type":"subscribe","events":["turn_start","turn_end","tool_call"]}' '{"type":"ready"}'
        while IFS= read -r line; do
          printf '%s\\n' "$line" >> received.ndjson
        done
        `,
      );
    },
  });
  const { extensions } = world;
  const sent = Array.from({ length: 100 }, (_, step) => {
    const event = (["turn_start", "tool_call", "turn_end"] as const)[step % 3] ?? "turn_end";
    return { event, step };
  });
  for (const { event, step } of sent) extensions.host.events.emit(event, { step });
  await extensions.frame("a", { step: 99 });
  expect(extensions.framesOf("a", "event").map(({ event, step }) => ({ event, step }))).toEqual(sent);
});
