import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { COMMAND_DEADLINE_MS } from "../../src/wire/limits.ts";
import { HostWorld } from "../support/host.ts";
import { ManualTimers } from "../support/manual-timers.ts";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Commands: what needs no screen.

setDefaultTimeout(30_000);

/** In a shell script: keeps what it reads for the test, and answers every command with a noop. */
const KEEPS_AND_ANSWERS = `
  while IFS= read -r line; do
    printf '%s\\n' "$line" >> received.ndjson
    case "$line" in
      *'"type":"command_invoked"'*)
        id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
        printf '{"type":"command_response","id":"%s","action":"noop"}\\n' "$id" ;;
      *'"type":"shutdown"'*) exit 0 ;;
    esac
  done
`;

describe.skipIf(!zotIsBuilt)("commands, through the built zot", () => {
  test("047 a command is found whatever its case, and gets its registered name and its arguments trimmed at the ends only", async () => {
    await using world = await ZotWorld.create([]);
    const dir = world.extensions.shell(
      "deployer",
      `
      printf '{"type":"hello","name":"deployer"}\\n{"type":"register_command","name":"Deploy","description":""}\\n{"type":"ready"}\\n'
      ${KEEPS_AND_ANSWERS}
      `,
    );
    const { code, stderr } = await world.run(["-p", ...world.flags([dir]), "/dEPLOY  a  b "]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(world.extensions.framesOf("deployer", "command_invoked")).toEqual([
      { type: "command_invoked", id: expect.any(String), name: "Deploy", args: "a  b" },
    ]);
    expect(world.server.requests).toEqual([]);
  });

  test("048 a command without arguments gets no key args", async () => {
    await using world = await ZotWorld.create([]);
    const dir = world.extensions.shell(
      "deployer",
      `
      printf '{"type":"hello","name":"deployer"}\\n{"type":"register_command","name":"deploy","description":""}\\n{"type":"ready"}\\n'
      ${KEEPS_AND_ANSWERS}
      `,
    );
    for (const typed of ["/deploy", "/deploy   "]) await world.run(["-p", ...world.flags([dir]), typed]);
    const invoked = world.extensions.framesOf("deployer", "command_invoked");
    expect(invoked.map((frame) => Object.keys(frame))).toEqual([
      ["type", "id", "name"],
      ["type", "id", "name"],
    ]);
  });
});

test("049 a command that two extensions register is the first one's, and the second one's when the first has died", async () => {
  await using world = await HostWorld.create();
  for (const [name, command] of [
    ["a", "x"],
    ["b", "X"],
  ] as const) {
    world.python(
      name,
      `
      hello()
      command("${command}")
      ready()
      for frame in frames():
          if frame["type"] == "command_invoked":
              respond(frame, action="display", display=NAME + " ran " + frame["name"])
      `,
    );
  }
  await world.start();
  const { commands } = world.host;
  expect(await commands.invoke("X", "")).toMatchObject({ kind: "display", text: "a ran x", extension: "a" });
  expect(world.diagnostics("b")).toEqual(["command /X conflicts with another extension registering the same name"]);
  expect(world.diagnostics("a")).toEqual([]);

  process.kill(world.pid("a"), "SIGKILL");
  await until("b to own the command", () => commands.offered[0]?.extension === "b");
  expect(await commands.invoke("x", "")).toMatchObject({ kind: "display", text: "b ran X", extension: "b" });
});

test("053 a command's display is a note of its extension: clear_notes takes it away", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    command("show")
    command("wipe")
    ready()
    for frame in frames():
        if frame["type"] != "command_invoked": continue
        if frame["name"] == "wipe": emit("clear_notes")
        respond(frame, action="display" if frame["name"] == "show" else "noop", display="a note")
    `,
  );
  await world.start();
  const { commands, outcomes, chrome } = world.host;
  const shown = await commands.invoke("show", "");
  if (shown.kind !== "display") throw new Error(`not a display: ${JSON.stringify(shown)}`);
  outcomes.perform(shown);
  expect(world.surface.notes).toEqual(["[a] info: a note"]);
  expect(chrome.notes.list.map(({ extension, message }) => `[${extension}] ${message}`)).toEqual(["[a] a note"]);

  expect(await commands.invoke("wipe", "")).toEqual({ kind: "noop" });
  expect(world.surface.of("clearNotes")).toEqual([{ call: "clearNotes", extension: "a" }]);
  expect(chrome.notes.list).toEqual([]);
});

test("057 a command without an answer fails after 30 s, and an answer that comes then is ignored", async () => {
  const timers = new ManualTimers();
  await using world = await HostWorld.of(
    { a: { registrations: [{ type: "register_command", name: "Slow" }] } },
    { host: { timers } },
  );
  const outcome = world.host.commands.invoke("slow", "");
  const invoked = await world.frame("a", { type: "command_invoked", name: "Slow" });
  expect(COMMAND_DEADLINE_MS).toBe(30_000);
  timers.pass(29_999);
  expect(timers.running).toBe(1);
  timers.pass(1);
  expect(await outcome).toEqual({ kind: "error", text: "extension /Slow: timeout waiting for a/Slow" });

  await world.emit("a", { type: "command_response", id: invoked["id"], action: "prompt", prompt: "too late" });
  expect(world.diagnostics("a")).toEqual(["command_response for no open call; ignored"]);
  expect(world.surface.calls).toEqual([]);
});
