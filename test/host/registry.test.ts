import { expect, test } from "bun:test";
import { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";

const LIVE = new AbortController().signal;
const command = (name: string, description = "") => ({ type: "register_command", name, description });
const tool = (name: string, fields: object = {}) => ({ type: "register_tool", name, ...fields });

function commandsOf(world: HostWorld): string[] {
  return world.host.commands.offered
    .filter(({ name }) => !name.startsWith("do-"))
    .map(({ name, extension, description }) => `${extension} ${name} ${description}`.trim());
}

test("the first in load order owns a name, compared without case, and the loser is told", async () => {
  await using world = await HostWorld.of({
    b: { registrations: [command("X", "b's"), tool("t", { description: "b's" })] },
    a: { registrations: [command("x", "a's"), tool("t", { description: "a's" })] },
  });
  expect(commandsOf(world)).toEqual(["a x a's"]);
  expect(world.host.tools.offered.map(({ description, extension }) => `${extension} ${description}`)).toEqual([
    "a a's",
  ]);
  expect(world.diagnostics("a")).toEqual([]);
  expect(world.diagnostics("b")).toEqual([
    "command /X conflicts with another extension registering the same name",
    "tool t conflicts with another extension registering the same name",
  ]);
});

test("an earlier extension that registers later takes the name over, and the loser is told in its own spelling", async () => {
  await using world = await HostWorld.of({ a: {}, b: { registrations: [command("X", "b's")] } });
  expect(commandsOf(world)).toEqual(["b X b's"]);
  await world.emit("a", command("x", "a's"));
  expect(commandsOf(world)).toEqual(["a x a's"]);
  expect(world.diagnostics("b")).toEqual(["command /X conflicts with another extension registering the same name"]);
});

test("when an owner dies its names go to the next in load order", async () => {
  await using world = await HostWorld.of({
    a: { registrations: [command("x", "a's"), tool("t")] },
    b: { registrations: [command("X", "b's"), tool("t")] },
    c: { registrations: [command("x", "c's")] },
  });
  const before = world.host.tools.revision;
  process.kill(world.pid("a"), "SIGKILL");
  await until("the promotion", () => commandsOf(world)[0] === "b X b's");
  expect(world.host.tools.offered.map(({ extension }) => extension)).toEqual(["b"]);
  await until("the list to be out of date", () => world.host.tools.revision > before);
  process.kill(world.pid("b"), "SIGKILL");
  await until("the next promotion", () => commandsOf(world)[0] === "c x c's");
  expect(world.host.tools.ownerOf("t")).toBeUndefined();
  expect(await world.host.tools.call("t", "{}", LIVE)).toMatchObject({ isError: true });
});

test("a command runs under any case and is invoked by its own spelling; arguments keep their blanks", async () => {
  await using world = await HostWorld.of({
    a: { registrations: [command("Deploy"), command("/slashed"), command("ü.x:1")] },
  });
  for (const [name, args] of [
    ["dEPLOY", "a  b"],
    ["slashed", ""],
    ["Ü.X:1", ""],
  ] as const) {
    void world.host.commands.invoke(name, args);
  }
  expect(await world.frame("a", { type: "command_invoked", name: "Deploy" })).toMatchObject({ args: "a  b" });
  expect(Object.keys(await world.frame("a", { type: "command_invoked", name: "slashed" })).sort()).toEqual([
    "id",
    "name",
    "type",
  ]);
  await world.frame("a", { type: "command_invoked", name: "ü.x:1" });
});

test("names of built-ins cannot be taken", async () => {
  await using world = await HostWorld.of({ a: { registrations: [command("HELP"), tool("read"), tool("Read")] } });
  expect(commandsOf(world)).toEqual([]);
  expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["Read"]);
  expect(world.diagnostics("a")).toEqual([
    "command /HELP is shadowed by the built-in of that name",
    "tool read is shadowed by the built-in of that name",
  ]);
  expect(world.host.registry.of(world.extension("a")).commands).toContainEqual({ name: "HELP", active: false });
});

test("unusable names are refused in the log", async () => {
  await using world = await HostWorld.of({
    a: { registrations: [command(""), command("a b"), tool("a.b"), tool(""), tool("x".repeat(65)), tool("__proto__")] },
  });
  expect(commandsOf(world)).toEqual([]);
  expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["__proto__"]);
  expect(world.diagnostics("a").map((entry) => entry.replace(/: (a|name).*/, ""))).toEqual([
    "command /",
    "command /a b",
    'tool "a.b"',
    'tool ""',
    `tool "${"x".repeat(65)}"`,
  ]);
});

test("of two registrations before ready the first counts, a running extension refreshes its own", async () => {
  await using world = await HostWorld.of({
    a: { registrations: [tool("t", { description: "one" }), tool("t", { description: "two" }), command("c", "one")] },
  });
  const described = () => world.host.tools.offered.map(({ description }) => description);
  expect(described()).toEqual(["one"]);
  expect(world.diagnostics("a")).toEqual(["tool t is registered twice; the first registration counts"]);
  const before = world.host.tools.revision;
  await world.emit("a", tool("t", { description: "fresh" }), command("C", "fresh"));
  expect(described()).toEqual(["fresh"]);
  expect(commandsOf(world)).toEqual(["a C fresh"]);
  expect(world.host.tools.revision).toBeGreaterThan(before);
  expect(world.diagnostics("a")).toHaveLength(1);
});

test("what is registered after ready is offered at once", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", tool("late", { deferred: true }), command("late"));
  expect(world.host.tools.offered).toMatchObject([{ name: "late", deferred: true, extension: "a" }]);
  expect(world.host.commands.has("LATE")).toBe(true);
});

test("registrations of one extension are bounded", async () => {
  await using world = await HostWorld.of({ a: {}, b: { registrations: [tool("other")] } });
  await world.emit("a", ...Array.from({ length: 501 }, (_, n) => tool(`t${n}`)));
  expect(world.host.tools.offered.filter(({ extension }) => extension === "a")).toHaveLength(500);
  expect(world.diagnostics("a")).toEqual(["more than 500 registrations; tool t500 skipped"]);
  expect(world.host.tools.ownerOf("other")).toBeDefined();
});
