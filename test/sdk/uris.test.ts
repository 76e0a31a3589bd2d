import { describe, expect, test } from "bun:test";
import { extension } from "../../src/sdk/api.ts";
import type { ExtensionDriver, Frame } from "../support/extension-driver.ts";
import { sdkRuntimes } from "./runtimes.ts";

const ABLE = { protocol_version: 2, features: ["uri"], cwd: "/project" };
let count = 0;

async function request(ext: ExtensionDriver, operation: string, url: string, content?: string): Promise<Frame> {
  count += 1;
  const id = `u${count}`;
  ext.send({ type: "uri_request", id, operation, url, ...(content === undefined ? {} : { content }) });
  const { type: _type, id: _id, ...result } = await ext.next({ type: "uri_result", id });
  return { type: "uri_result", ...result };
}

describe.each(sdkRuntimes)("URIs under $name", (runtime) => {
  async function keeper(): Promise<ExtensionDriver> {
    const ext = runtime.start("keeper.mjs");
    await ext.greet(ABLE);
    await ext.tool("add", { row: "first" });
    return ext;
  }

  test("a scheme is announced in lower case, writable when it can be written to", async () => {
    await using ext = await keeper();
    expect(ext.lines).toContainEqual(
      '{"type":"register_uri_scheme","scheme":"rows","description":"rows://N is row N","writable":true}',
    );
    expect(ext.lines).toContainEqual('{"type":"register_uri_scheme","scheme":"slow"}');
    await ext.command("grow");
    await ext.next({ type: "register_uri_scheme", scheme: "late" });
    expect(await request(ext, "read", "late://x")).toEqual({ type: "uri_result", content: "/project" });
  });

  test("reading gives a text, or a text and what there is to say about it", async () => {
    await using ext = await keeper();
    expect(await request(ext, "read", "rows://0")).toEqual({ type: "uri_result", content: "first" });
    expect(await request(ext, "read", "ROWS://0?x=1")).toEqual({
      type: "uri_result",
      content: "first",
      contentType: "text/markdown",
      notes: ["?x=1"],
      immutable: true,
    });
  });

  test("writing hands over the whole text, the empty one too, and may answer with words", async () => {
    await using ext = await keeper();
    expect(await request(ext, "write", "rows://0", "new\n")).toEqual({ type: "uri_result" });
    await ext.next({ message: 'wrote "new\\n" to 0' });
    await request(ext, "write", "rows://1");
    await ext.next({ message: 'wrote "" to 1' });
    expect(await request(ext, "write", "rows://0", "twice")).toEqual({ type: "uri_result", content: "written twice" });
  });

  test.each([
    ["read", "rows://7", "there is no row 7"],
    ["write", "slow://x", "slow:// is read-only"],
    ["read", "other://x", "this extension does not serve other://"],
    ["read", "rows://[", ""],
  ])("%s %s fails with words", async (operation, url, error) => {
    await using ext = await keeper();
    const result = await request(ext, operation, url);
    expect(result).toMatchObject({ isError: true, error: expect.stringContaining(error) });
    expect(result["error"]).not.toBe("");
  });

  test("uri_cancel aborts the signal, and no answer follows", async () => {
    await using ext = await keeper();
    ext.send({ type: "uri_request", id: "u0", operation: "read", url: "slow://x" });
    await ext.next({ message: "reading" });
    ext.send({ type: "uri_cancel", id: "u0" });
    await ext.next({ message: "read given up: the host cancelled the call" });
    await request(ext, "read", "rows://0");
    expect(ext.lines.join("\n")).not.toContain('"u0"');
  });

  test("a host without the feature is told nothing, and the log says so", async () => {
    await using ext = runtime.start("keeper.mjs");
    await ext.greet({ protocol_version: 2 });
    await ext.logged("this host does not offer uri; going on without");
    expect(ext.lines.join("\n")).not.toContain("register_uri_scheme");
  });
});

test("what cannot be a scheme is refused where it is written", () => {
  const ext = extension({ name: "x" });
  const read = () => "";
  expect(() => ext.uri("notes://", { read })).toThrow('uri: "notes://" is no scheme; write it without "://"');
  expect(() => ext.uri("1x", { read })).toThrow("is no scheme");
  expect(() => ext.uri("x".repeat(65), { read })).toThrow("is no scheme");
  expect(() => ext.uri("notes", Object({}))).toThrow("uri notes: the handler must be a function");
  expect(() => ext.uri("notes", { read, write: Object("x") })).toThrow("uri notes: the handler must be a function");
});
