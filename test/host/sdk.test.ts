import { expect, test } from "bun:test";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;

const EXTENSION = `
import { extension, openPanel } from "zot/ext";

const ext = extension({ name: "sdk", protocol: 2 });
ext.tool("deploy", { description: "deploys" }, async (_args, call) => {
  call.update("asking");
  const sure = await ext.ui.confirm("Deploy?", "to production");
  const where = await ext.ui.select("Where?", ["here", { label: "there", description: "far" }]);
  const key = await ext.ui.input("Key?", { secret: true });
  ext.log("info", "deployed", { where });
  return \`\${sure} \${where} \${key === "s3cret"}\`;
});
ext.command("panel", { description: "opens" }, () => openPanel({ id: "p", lines: ["hello"] }));
ext.onPanelResize("p", ({ width }) => ext.renderPanel({ id: "p", lines: [\`width \${width}\`] }));
ext.onPanelKey("p", ({ key, text }) => ext.notify("info", key + text));
ext.onPanelClose("p", () => ext.notify("info", "closed"));
await ext.run();
`;

async function started(): Promise<HostWorld> {
  const world = await HostWorld.create();
  world.files("sdk", { "index.ts": EXTENSION, "extension.json": { name: "sdk", exec: "./index.ts" } });
  await world.start();
  return world;
}

test("an extension of the SDK asks, reports and logs through the host", async () => {
  await using world = await started();
  const updates: unknown[] = [];
  const result = world.host.tools.call("deploy", "{}", LIVE, (content) => updates.push(content));
  (await world.surface.dialog(1)).answer({ kind: "confirmed", confirmed: true });
  (await world.surface.dialog(2)).answer({ kind: "value", value: "there" });
  const masked = await world.surface.dialog(3);
  expect(masked.dialog.question).toMatchObject({ kind: "input", masked: true });
  masked.answer({ kind: "value", value: "s3cret" });
  expect((await result).content).toEqual([{ type: "text", text: "true there true" }]);
  expect(updates).toEqual([[{ type: "text", text: "asking" }]]);
  expect(world.log("sdk")).toContain('"message":"deployed","data":{"where":"there"}');
  expect(world.log("sdk")).not.toContain("s3cret");
});

test("an extension of the SDK lives with its panel", async () => {
  await using world = await started();
  world.host.panels.resize(40, 5);
  const outcome = await world.host.commands.invoke("panel", "");
  if (outcome.kind !== "open_panel") throw new Error(JSON.stringify(outcome));
  world.host.outcomes.perform(outcome);
  expect((await world.surface.told("renderPanel")).panel).toMatchObject({ title: "sdk", lines: ["width 40"] });
  world.host.panels.key("rune", "é");
  await world.surface.noted("runeé");
  world.host.panels.close();
  await world.surface.noted("closed");
});
