import { expect, setDefaultTimeout, test } from "bun:test";
import { AgentWorld, type AgentWorldOptions } from "./support/agent-world.ts";

// extension-host.md §10, Events and intercepts: what observers are told.

setDefaultTimeout(30_000);

const CALL = { calls: [{ name: "bash", args: { command: "true" } }] };
const DONE = { text: "done" };

/** What an observer hears of two prompts of two steps each. */
async function observed(agent: NonNullable<AgentWorldOptions["agent"]>) {
  await using world = await AgentWorld.create({
    turns: [CALL, DONE, CALL, DONE],
    agent,
    extensions: (host) => {
      host.puppet("a", {
        registrations: [{ type: "subscribe", events: ["turn_start", "tool_confirmation_requested"] }],
      });
    },
  });
  await world.extensions.host.whenReady();
  await world.say("one");
  await world.say("two");
  // The answer to a command comes behind all events before it.
  await world.extensions.emit("a");
  return world.extensions.framesOf("a", "event").map(({ type: _type, ...event }) => event);
}

test("092 observers get steps counted per prompt, and no tool_confirmation_requested unless somebody is asked", async () => {
  const steps = [1, 2, 1, 2].map((step) => ({ event: "turn_start", step }));
  expect(await observed({ approval: "never" })).toEqual(steps);

  const asked = {
    event: "tool_confirmation_requested",
    tool_id: expect.any(String),
    tool_name: "bash",
    tool_preview: "true",
  };
  const [first, ...others] = steps;
  expect(await observed({ approval: "ask", approver: { ask: async () => "always_this_tool" } })).toEqual([
    { ...first },
    asked,
    ...others,
  ]);
});
