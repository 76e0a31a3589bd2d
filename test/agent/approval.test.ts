import { describe, expect, test } from "bun:test";
import { Approval, type ApprovalAnswer } from "../../src/agent/approval.ts";
import { RawJson } from "../../src/wire/raw-json.ts";

/** An approval whose human gives these answers in turn, and what he was asked for. */
function asking(...answers: readonly ApprovalAnswer[]) {
  const asked: string[] = [];
  const left = [...answers];
  const approval = new Approval("ask", {
    ask: async ({ name }) => {
      asked.push(name);
      return left.shift() ?? "no";
    },
  });
  const check = (name: string): Promise<string | undefined> =>
    approval.check({ id: "1", name, args: RawJson.of({}) }, new AbortController().signal, () => undefined);
  return { approval, asked, check };
}

describe("what was allowed for always", () => {
  test("holds for its tool", async () => {
    const { asked, check } = asking("always_this_tool", "yes");
    expect([await check("bash"), await check("bash"), await check("write")]).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual(["bash", "write"]);
  });

  test("is forgotten when asking is switched off and on again", async () => {
    const { approval, asked, check } = asking("always_this_tool", "no");
    await check("bash");
    approval.mode = "never";
    approval.mode = "ask";
    expect(await check("bash")).toContain("denied by user");
    expect(asked).toEqual(["bash", "bash"]);
  });

  test("is forgotten with the conversation", async () => {
    const { approval, asked, check } = asking("always_this_tool", "yes");
    await check("bash");
    approval.forget();
    await check("bash");
    expect(asked).toEqual(["bash", "bash"]);
  });
});
