import { expect, test } from "bun:test";
import { checkArguments } from "../../../src/agent/tools/arguments.ts";
import { bashTool } from "../../../src/agent/tools/bash.ts";
import { builtinTools } from "../../../src/agent/tools/builtin.ts";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import type { BuiltinTool } from "../../../src/agent/tools/tool.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";

const open = { schema: { type: "object" } };

async function accepted(tool: { readonly schema: BuiltinTool["schema"] }, raw: string): Promise<unknown> {
  const checked = await checkArguments(tool, raw);
  if (!checked.ok) throw new Error(checked.message);
  return checked.args;
}

async function refused(tool: { readonly schema: BuiltinTool["schema"] }, raw: string): Promise<string> {
  const checked = await checkArguments(tool, raw);
  if (checked.ok) throw new Error(`accepted: ${JSON.stringify(checked.args)}`);
  return checked.message;
}

test("the built-in tools come in the order read, write, edit, bash", () => {
  expect(builtinTools().map((tool) => tool.name)).toEqual(["read", "write", "edit", "bash"]);
});

test.each(["", " \n\t", "null", " null ", "{}"])("%p counts as no arguments", async (raw) => {
  expect(await accepted(open, raw)).toEqual({});
});

test.each([`{"x": 'bad`, '{"a":"line\nraw"}', '{"a":1}{"b":2}', '{"a":1,}', '{"command":"touch RAN"'])(
  "text that is not JSON is named and shown: %p",
  async (raw) => {
    const message = await refused(bashTool, raw);
    expect(message).toStartWith("invalid JSON arguments: ");
    expect(message).toContain(`got: ${raw}`);
  },
);

test.each(["[1]", '"str"', "5", "true"])("JSON that is not an object is refused: %p", async (raw) => {
  expect(await refused(open, raw)).toBe(`invalid JSON arguments: not an object; got: ${raw}`);
});

test("the preview of unreadable text is bounded and splits no character", async () => {
  const message = await refused(open, `{"a":"${"🎉".repeat(5000)}`);
  const shown = message.slice(message.indexOf("got: ") + 5);
  expect(Array.from(shown)).toHaveLength(203);
  expect(shown).toEndWith("🎉...");
});

test("a violation names the place and the reason", async () => {
  expect(await refused(readTool, "{}")).toBe("invalid args: /path: missing");
  expect(await refused(readTool, '{"path":"a","offset":"ten"}')).toBe(
    "invalid args: /offset: expected integer, got string",
  );
  expect(await refused(editTool, '{"path":"a","edits":[{"oldText":"x"}]}')).toBe(
    "invalid args: /edits/0/newText: missing",
  );
  expect(await refused(bashTool, '{"command":"true","timeout":0.5}')).toStartWith("invalid args: /timeout: ");
});

test("small slips of a model are mended", async () => {
  expect(await accepted(readTool, '{"path":"a","offset":"10","limit":null}')).toEqual({ path: "a", offset: 10 });
  expect(await accepted(editTool, '{"path":"a","edits":{"oldText":"x","newText":"y"}}')).toEqual({
    path: "a",
    edits: [{ oldText: "x", newText: "y" }],
  });
  expect(await accepted(bashTool, '{"command":5}')).toEqual({ command: "5" });
});

test("mending never makes up content", async () => {
  expect(await refused(writeTool, '{"path":"a","content":null}')).toBe(
    "invalid args: /content: expected a value, got null",
  );
  expect(await refused(editTool, '{"path":"a","edits":{"oldText":"x","newText":null}}')).toBe(
    "invalid args: /edits/0/newText: expected a value, got null",
  );
  expect(await refused(writeTool, '{"path":"a","content":12345678901234567890}')).toBe(
    "invalid args: /content: expected string, got number",
  );
});

test("__proto__ keys reach neither the arguments nor any prototype", async () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer" } },
    additionalProperties: { type: "object", properties: { m: { type: "integer" } } },
  };
  const raw = String.raw`{"n":"1","__proto__":{"polluted":1},"a":{"m":"2","\u005f_proto__":{"polluted":1}}}`;
  const args = await accepted({ schema }, raw);
  expect(JSON.stringify(args)).toBe('{"n":1,"a":{"m":2}}');
  expect(Reflect.get(Object(args), "polluted")).toBeUndefined();
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
});

test("absurd nesting is an answer, not a crash", async () => {
  const raw = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(await refused(open, raw)).toBe("invalid args: nested deeper than 200 levels");
});

test("formats are checked, and a dangling reference refuses only its own place", async () => {
  const schema = {
    type: "object",
    properties: { when: { type: "string", format: "date" }, other: { $ref: "#/$defs/missing" } },
  };
  expect(await accepted({ schema }, '{"when":"2026-02-03"}')).toEqual({ when: "2026-02-03" });
  expect(await refused({ schema }, '{"when":"yesterday"}')).toStartWith("invalid args: /when: ");
  expect(await refused({ schema }, '{"other":1}')).toStartWith("invalid args: /other: ");
});

test("a schema that cannot be compiled is blamed on the tool", async () => {
  const schema = { type: "object", properties: { a: { type: "string", pattern: "(" } } };
  expect(await refused({ schema }, '{"a":"x"}')).toStartWith("invalid args: the tool's own schema is unusable: ");
});

test("the validator is not loaded before the first call", async () => {
  const script = `
    const { checkArguments } = await import(${JSON.stringify(import.meta.resolve("../../../src/agent/tools/arguments.ts"))});
    const { builtinTools } = await import(${JSON.stringify(import.meta.resolve("../../../src/agent/tools/builtin.ts"))});
    const loaded = () => Object.keys(require.cache).some((file) => file.includes("pi-schema"));
    const before = loaded();
    await checkArguments(builtinTools()[0], '{"path":"x"}');
    console.log(before, loaded());
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  expect(await new Response(child.stdout).text()).toBe("false true\n");
});
