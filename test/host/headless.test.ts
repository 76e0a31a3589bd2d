import { expect, test } from "bun:test";
import { HeadlessSurface } from "../../src/surfaces/headless.ts";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;

test("without a screen notes become lines, and everything else is answered at once", async () => {
  await using world = await HostWorld.of(
    { a: { registrations: [{ type: "register_tool", name: "ask_me", interactive: true }] } },
    { detached: true },
  );
  const lines: string[] = [];
  world.host.attach(new HeadlessSurface((line) => lines.push(line)));
  await world.emit(
    "a",
    { type: "notify", level: "warn", message: "one\n\u001b[31mtwo" },
    { type: "status", key: "k", text: "x" },
    { type: "widget", id: "w", lines: ["x"] },
    { type: "alert", kind: "bell" },
    { type: "clear_notes" },
    { type: "submit", text: "a prompt" },
    { type: "submit_slash", text: "/clear" },
    { type: "open_panel", panel: { id: "p" } },
    { type: "extension_ui_request", id: "u1", method: "input", title: "Name?" },
  );
  await world.frame("a", { type: "panel_close", panel_id: "p" });
  await world.frame("a", { type: "extension_ui_response", id: "u1", cancelled: true });
  expect(lines).toEqual(["[a] warn: one", "[a] warn: two"]);
  expect(world.diagnostics("a")).toEqual([]);
  expect(world.host.attention.asking).toEqual([]);

  const result = await world.host.tools.call("ask_me", "{}", LIVE);
  expect(result.content).toEqual([
    { type: "text", text: "extension a/ask_me is interactive and requires an interactive host" },
  ]);
  expect(world.framesOf("a", "tool_call")).toEqual([]);
});

test("without a screen the end of an extension does not advise what only a screen has", async () => {
  await using world = await HostWorld.of({ a: {} }, { detached: true });
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  world.host.attach(
    new HeadlessSurface((line) => {
      lines.push(line);
      ended.resolve();
    }),
  );
  process.kill(world.pid("a"), "SIGKILL");
  await ended.promise;
  expect(lines).toEqual(["[a] error: exited (signal: killed); its commands and tools are gone"]);
});
