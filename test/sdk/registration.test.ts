import { describe, expect, test } from "bun:test";
import { extension, type JsonScalar } from "../../src/sdk/api.ts";

// What can never work fails at the line that wrote it, not later inside the handshake.
describe("registering", () => {
  const ext = extension({ name: "r" });

  test("an empty name is refused", () => {
    expect(() => extension({ name: " " })).toThrow("extension: the name must not be empty");
    expect(() => ext.command("", {}, () => "x")).toThrow("command: the name must not be empty");
    expect(() => ext.tool("", { description: "" }, () => "x")).toThrow("tool: the name must not be empty");
  });

  test("a handler that is none is refused, as plain JavaScript may pass it", () => {
    const handler = Object("not a function");
    expect(() => ext.command("c", {}, handler)).toThrow("command c: the handler must be a function");
    expect(() => ext.tool("t", { description: "" }, handler)).toThrow("tool t: the handler must be a function");
    expect(() => ext.on("turn_end", handler)).toThrow("on turn_end: the handler must be a function");
    expect(() => ext.onPanelKey("p", handler)).toThrow("panel p: the handler must be a function");
  });

  test("a schema that JSON cannot hold, or a frame cannot, is refused", () => {
    const odd: JsonScalar = Object(1n);
    const define = (value: JsonScalar) => () =>
      ext.tool("t", { description: "", parameters: { type: "object", const: value } }, () => "x");
    expect(define(odd)).toThrow(TypeError);
    expect(define("x".repeat(5_000_000))).toThrow("the host takes at most 4194304");
  });

  test("the host is not known before it has said hello", async () => {
    expect(() => ext.host).toThrow("known from hello_ack on");
    await expect(ext.ui.confirm("a", "b")).rejects.toThrow("known from hello_ack on");
  });

  test("a frame that is too long, or cannot be one, is refused where it is sent", () => {
    expect(() => ext.notify("info", "x".repeat(5_000_000))).toThrow("frame of 5000046 bytes");
    expect(() => ext.send({ type: "t", n: 1n })).toThrow(TypeError);
    // Three bytes a character: counted in bytes, not in characters.
    expect(() => ext.notify("info", "€".repeat(1_400_000))).toThrow("the host takes at most");
  });

  test("what waits for hello_ack is bounded", () => {
    const early = extension({ name: "early" });
    for (let i = 0; i < 256; i += 1) early.notify("info", "x");
    expect(() => early.notify("info", "x")).toThrow("256 frames are waiting for hello_ack already");
  });
});
