import { expect, setDefaultTimeout, test } from "bun:test";
import { AgentWorld } from "../conformance/support/agent-world.ts";

setDefaultTimeout(30_000);

test("a call that is cancelled while a guard thinks about it asks no human any more", async () => {
  let questions = 0;
  await using world = await AgentWorld.create({
    turns: [{ calls: [{ name: "bash", args: { command: "true" } }] }],
    agent: {
      approval: "ask",
      approver: {
        ask: async () => {
          questions += 1;
          return "yes";
        },
      },
    },
    extensions: (host) => {
      host.puppet("a", { registrations: [{ type: "subscribe", intercept: ["tool_call"] }] });
    },
  });
  await world.extensions.host.whenReady();
  const said = world.say("go");
  await world.extensions.frame("a", { type: "event_intercept", tool_name: "bash" });
  await world.agent.abort();
  expect(await said).toMatchObject({ kind: "aborted" });
  expect(questions).toBe(0);
  expect(world.events.filter(({ type }) => type === "approval_requested")).toEqual([]);
  expect(world.results).toEqual([{ text: "tool call was aborted; no result recorded.", isError: true }]);
});
