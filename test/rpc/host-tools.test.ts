import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";

const PARAMETERS = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

function toolNames(request: unknown): string[] {
  return [...JSON.stringify(request).matchAll(/"function":\{"name":"([^"]+)"/g)].map(([, name]) => name ?? "");
}

describe.skipIf(!zotIsBuilt)("host tools", () => {
  test("discoverable ones are looked up first, hidden ones are not there, essential ones are offered", async () => {
    await using server = await startModelServer([
      { calls: [{ name: "host_tools", args: { name: "far" } }] },
      {
        calls: [
          { name: "far", args: { q: "x" } },
          { name: "gone", args: { q: "x" } },
        ],
      },
      { text: "done" },
    ]);
    await using zot = await RpcProcess.start({ server });
    const tools = [
      { name: "near", description: "near by", parameters: PARAMETERS, loadMode: "essential" },
      { name: "far", description: "far away\nand more", parameters: PARAMETERS },
      { name: "gone", description: "not to be seen", parameters: PARAMETERS, hidden: true },
    ];
    expect(await zot.ask({ id: "ht", type: "set_host_tools", tools })).toMatchObject({
      data: { toolNames: ["near", "far", "gone"] },
    });
    zot.send({ id: "p", type: "prompt", message: "go" });
    const call = await zot.until(({ type }) => type === "host_tool_call");
    expect(call).toMatchObject({ toolName: "far", arguments: { q: "x" } });
    zot.send({ type: "host_tool_result", id: call["id"], result: { content: [{ type: "text", text: "found" }] } });
    await zot.result("p");

    const [first, second] = server.requests.map(({ json }) => toolNames(json));
    expect(first).toEqual(expect.arrayContaining(["near", "host_tools"]));
    expect(first).not.toEqual(expect.arrayContaining(["far"]));
    expect(second).toContain("far");
    expect([first, second].flat()).not.toContain("gone");
    expect(JSON.stringify(server.requests[0]?.json)).toContain("- far: far away");
    const results = zot.ofType("tool_execution_end").map(({ toolName, isError }) => [toolName, isError]);
    expect(results).toEqual([
      ["host_tools", false],
      ["far", false],
      ["gone", true],
    ]);
  });

  test("a schema that services would refuse is refused here, and the old set stays", async () => {
    await using zot = await RpcProcess.start();
    const good = { name: "good", description: "fine", parameters: PARAMETERS, loadMode: "essential" };
    await zot.ask({ id: "1", type: "set_host_tools", tools: [good] });
    for (const [tool, text] of [
      [{ ...good, parameters: { anyOf: [] } }, "anyOf"],
      [{ ...good, name: "no blanks" }, "name must match"],
      [{ ...good, name: "bash" }, "conflicts with an existing tool"],
      [{ ...good, name: "host_tools" }, "conflicts with an existing tool"],
      [{ ...good, loadMode: "sometimes" }, "loadMode"],
    ] as const) {
      const answer = await zot.ask({ id: text + tool.name, type: "set_host_tools", tools: [tool] });
      expect(answer).toMatchObject({ success: false });
      expect(String(answer["error"])).toContain(text);
    }
    const { data } = await zot.ask({ id: "s", type: "get_state" });
    expect(JSON.stringify(data)).toContain('"name":"good"');
  });

  test("a client that is asked for several things at once may answer in any order", async () => {
    await using server = await startModelServer([
      { calls: ["a", "b", "c"].map((q) => ({ name: "near", args: { q } })) },
      { text: "done" },
    ]);
    await using zot = await RpcProcess.start({ server });
    const tool = { name: "near", description: "near by", parameters: PARAMETERS, loadMode: "essential" };
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [tool] });
    zot.send({ id: "p", type: "prompt", message: "go" });
    await zot.until(() => zot.ofType("host_tool_call").length === 3);
    for (const { id, arguments: args } of zot.ofType("host_tool_call").toReversed()) {
      const text = JSON.stringify(args);
      zot.send({ type: "host_tool_result", id, result: { content: [{ type: "text", text }] } });
    }
    await zot.result("p");
    // The model gets them in the order in which it asked.
    const said = JSON.stringify(server.requests[1]?.json);
    const at = ["a", "b", "c"].map((q) => said.indexOf(`"content":"{\\"q\\":\\"${q}\\"}"`));
    expect(at.every((index) => index > 0)).toBe(true);
    expect(at).toEqual(at.toSorted((left, right) => left - right));
  });

  test("a steering message keeps the calls behind the running one from running, unless the client waits", async () => {
    await using server = await startModelServer([
      {
        calls: [
          { name: "slow", args: { q: "1" } },
          { name: "bash", args: { command: "echo ran" } },
        ],
      },
      { text: "done" },
    ]);
    await using zot = await RpcProcess.start({ server });
    const tool = { name: "slow", description: "slow", parameters: PARAMETERS, loadMode: "essential" };
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [tool] });
    zot.send({ id: "p", type: "prompt", message: "go" });
    const { id } = await zot.until(({ type }) => type === "host_tool_call");
    await zot.ask({ id: "st", type: "steer", message: "stop that" });
    zot.send({ type: "host_tool_result", id, result: { content: [] } });
    await zot.result("p");
    expect(zot.ofType("tool_execution_end").map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ["slow", false],
      ["bash", true],
    ]);
  });
});
