import { expect, test } from "bun:test";
import { HostWorld } from "../support/host.ts";

const submit = (text: unknown) => ({ type: "submit", text });
const slash = (text: unknown) => ({ type: "submit_slash", text });

test("a submitted prompt is trimmed and literal, and a blank one is nothing", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", submit("  "), submit(" !rm x\n"), submit("/quit"), submit(5));
  expect(world.surface.of("submit").map(({ submission }) => submission)).toEqual([
    { extension: "a", generation: 1, text: "!rm x" },
    { extension: "a", generation: 1, text: "/quit" },
  ]);
  expect(world.diagnostics("a").some((entry) => entry.startsWith("bad submit frame"))).toBe(true);
});

test("commands of extensions, skills and harmless built-ins may be run, with their arguments as they are", async () => {
  await using world = await HostWorld.of({
    a: {},
    b: { registrations: [{ type: "register_command", name: "Deploy" }] },
  });
  await world.emit("a", slash(" /dEPLOY  a  b "), slash("/skill:review now"), slash("/clear"));
  expect(world.surface.of("submitSlash").map(({ command }) => [command.name, command.args])).toEqual([
    ["dEPLOY", "a  b"],
    ["skill:review", "now"],
    ["clear", ""],
  ]);
});

test("commands that end zot or take guards away are refused with a note", async () => {
  await using world = await HostWorld.of({ a: {} });
  const refused = ["exit", "quit", "logout", "UNJAIL", "login openai", "yolo"];
  await world.emit("a", ...refused.map((name) => slash(`/${name}`)));
  expect(world.surface.of("submitSlash")).toEqual([]);
  expect(world.surface.notes).toHaveLength(refused.length);
  expect(world.surface.notes[0]).toStartWith("[a] warn: may not run /exit");
});

test("text without a slash and commands that nobody has are refused in the log", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", slash("hello"), slash("/"), slash("/skill:"), slash("/nobody"), slash(null));
  expect(world.surface.of("submitSlash")).toEqual([]);
  expect(world.diagnostics("a").join("\n")).toContain('submit_slash refused (not a slash command): "hello"');
  expect(world.diagnostics("a").join("\n")).toContain("there is no command /nobody");
});

test("what commands want is carried out on the attached surface", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    for name in ["say", "put", "tell", "nothing"]:
        command(name)
    ready()
    for frame in frames():
        if frame["type"] == "command_invoked":
            action = {"say": "prompt", "put": "insert", "tell": "display", "nothing": "noop"}[frame["name"]]
            respond(frame, action=action, prompt="!p", insert=" i ", display="d")
    `,
  );
  await world.start();
  const answers: string[] = [];
  for (const name of ["say", "put", "tell", "nothing"]) {
    const outcome = await world.host.commands.invoke(name, "");
    if (outcome.kind === "error" || outcome.kind === "cancelled") throw new Error(JSON.stringify(outcome));
    answers.push(world.host.outcomes.perform(outcome));
  }
  expect(answers).toEqual(["done", "done", "done", "done"]);
  expect(world.surface.of("submit")[0]?.submission.text).toBe("!p");
  expect(world.surface.of("insert")[0]?.submission.text).toBe(" i ");
  expect(world.surface.notes).toEqual(["[a] info: d"]);
});

test("a surface without an editor says so, and the extension goes on", async () => {
  await using world = await HostWorld.of({ a: {} });
  world.surface.lacks.add("submit");
  const outcome = { kind: "prompt", extension: "a", owner: world.extension("a"), text: "x" } as const;
  expect(world.host.outcomes.perform(outcome)).toBe("unsupported");
  await world.emit("a", submit("x"));
  expect(world.diagnostics("a")).toEqual([]);
});

test("what was submitted before there is a surface reaches it in order, at most 16 of them", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} }, { detached: true });
  await world.emit("b", submit("from the dead"));
  process.kill(world.pid("b"), "SIGKILL");
  await world.diagnosed("b", "exited");
  await world.emit("a", ...Array.from({ length: 20 }, (_, n) => submit(`p${n}`)));
  world.host.attach(world.surface);
  const texts = world.surface.of("submit").map(({ submission }) => submission.text);
  expect(texts).toEqual(Array.from({ length: 16 }, (_, n) => `p${n}`));
  expect(world.diagnostics("a").join("\n")).toContain("more than 16 submissions");
});

test("a text beyond its bound is refused whole", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", submit("x".repeat(1024 * 1024 + 1)));
  expect(world.surface.of("submit")).toEqual([]);
  expect(world.diagnostics("a").join("\n")).toContain("is refused");
});
