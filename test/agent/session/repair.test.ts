import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeMessage, type MessageExtras } from "../../../src/agent/session/message-codec.ts";
import { messageRow } from "../../../src/agent/session/row.ts";
import type { Message } from "../../../src/llm/messages.ts";
import { assistant, calls, MODEL, result, testHome, textsOf, user } from "./support/sessions.ts";

const ABORTED = "tool call was aborted; no result recorded.";

function tool(...results: ReturnType<typeof result>[]): Message {
  return { role: "tool", content: results, time: 0 };
}

/** How a session with these messages reads. */
async function reading(...messages: (Message | [Message, MessageExtras])[]): Promise<string[]> {
  await using home = await testHome();
  const path = join(home.dir.path, "s.jsonl");
  const rows = messages.map((item) => {
    const [message, extras] = Array.isArray(item) ? item : [item, {}];
    return messageRow(encodeMessage(message, extras) ?? "");
  });
  const meta = '{"type":"meta","meta":{"id":"x"}}';
  writeFileSync(path, `${[meta, ...rows].join("\n")}\n`);
  const before = readFileSync(path);
  const opening = await home.store.open(path, MODEL);
  if ("fault" in opening) throw new Error(opening.fault);
  using session = opening.session;
  expect(readFileSync(path)).toEqual(before);
  return textsOf(session);
}

describe("reading a transcript", () => {
  test("answers calls that were never answered, at the end and in the middle", async () => {
    expect(await reading(user("a"), calls("1", "2"))).toEqual(["a", "", `${ABORTED}+${ABORTED}`]);
    expect(await reading(calls("1"), user("b"))).toEqual(["", ABORTED, "b"]);
    expect(await reading(calls("1"), calls("2"), tool(result("2")))).toEqual(["", ABORTED, "", "done"]);
  });

  test("adds what is missing to the results that are there", async () => {
    expect(await reading(calls("1", "2", "3"), tool(result("2", "two")))).toEqual(["", `two+${ABORTED}+${ABORTED}`]);
  });

  test("drops results without a call, and all but the first of one call", async () => {
    expect(await reading(tool(result("9")), user("a"))).toEqual(["a"]);
    expect(await reading(assistant("no call"), tool(result("9")))).toEqual(["no call"]);
    expect(await reading(calls("1"), tool(result("1", "first"), result("1", "second"), result("9")))).toEqual([
      "",
      "first",
    ]);
    expect(await reading(calls("1"), tool(result("1")), tool(result("1", "again")))).toEqual(["", "done"]);
  });

  test("keeps a tool message that switched tools on", async () => {
    expect(await reading(user("a"), [tool(result("9", "on")), { addedToolNames: ["t"] }])).toEqual(["a", "on"]);
  });
});
