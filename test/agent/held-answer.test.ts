import { expect, setDefaultTimeout, test } from "bun:test";
import { textOf } from "../../src/llm/messages.ts";
import { AgentWorld, type AgentWorldOptions } from "../conformance/support/agent-world.ts";
import { interceptor, PASS } from "../conformance/support/interceptor.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(30_000);

/** An extension wants to see every answer before a human does (extension-host.md §4.5 assistant_message, BUG-25). */
async function watched(options: Pick<AgentWorldOptions, "turns" | "agent">): Promise<AgentWorld> {
  const world = await AgentWorld.create({
    ...options,
    extensions: (host) => {
      interceptor(host, "a", "assistant_message", PASS);
    },
  });
  await world.extensions.host.whenReady();
  return world;
}

function deltas({ events }: AgentWorld): string[] {
  return events.flatMap((event) => (event.type === "text_delta" ? [event.delta] : []));
}

test("an answer that was held back comes out when the extension it was held for has died", async () => {
  const ask = Promise.withResolvers<AgentWorld>();
  await using world = await watched({
    turns: [
      async () => {
        const { extensions } = await ask.promise;
        process.kill(extensions.pid("a"), "SIGKILL");
        await until("its end", () => !extensions.host.intercepts.wants("assistant_message"));
        return { text: ["to be", " seen"] };
      },
    ],
  });
  ask.resolve(world);
  expect(await world.say("go")).toEqual({ kind: "completed", text: "to be seen" });
  expect(deltas(world)).toEqual(["to be seen"]);
});

test("an answer that is cut short before the extension has seen it is shown neither now nor later", async () => {
  let came = 0;
  const drained = (): undefined => {
    came += 1;
  };
  await using world = await watched({
    turns: [{ text: ["one ", "two ", "three"], stallAfterEvents: 3 }],
    agent: { drained },
  });
  const said = world.say("go");
  // Asked for before each piece is taken.
  await until("the first piece of the answer", () => came > 1);
  await world.agent.abort();
  expect(await said).toEqual({ kind: "aborted", text: "" });
  expect(deltas(world)).toEqual([]);
  const { session } = world.agent;
  const partial = session.messages.at(-1);
  if (partial?.role !== "assistant") throw new Error("the partial answer is not in the transcript");
  expect(textOf(partial)).toStartWith("one ");
  expect(session.displayText(partial)).toBe("");
});
