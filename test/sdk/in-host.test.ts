import { expect, test } from "bun:test";
import { builtinTools } from "../../src/agent/tools/builtin.ts";
import { withUris } from "../../src/agent/tools/uri.ts";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;

const EXTENSION = `
import { extension } from "zot/ext";

const ext = extension({ name: "notes", protocol: 2 });
const notes = new Map([["monday", "# Monday\\n"]]);
ext.uri("notes", {
  description: "the team's notes",
  read({ hostname }) {
    const content = notes.get(hostname);
    if (content === undefined) throw new Error("no such note: " + hostname);
    return { content, contentType: "text/markdown", notes: ["fresh"] };
  },
  write({ hostname }, content) {
    notes.set(hostname, content);
  },
});
ext.tool("sign_in", { description: "asks and shows" }, async (_args, { signal }) => {
  ext.ui.openUrl("https://example.invalid/login", { instructions: "Sign in there" });
  ext.ui.setTitle("signing in");
  ext.ui.setEditorText("next");
  const answers = await ext.ui.ask(
    [
      { id: "where", question: "Where?", options: ["here", { label: "there", preview: "far" }], recommended: 1 },
      { id: "how", question: "How?", multi: true, options: ["fast", "well"] },
    ],
    { signal },
  );
  return JSON.stringify(answers ?? "cancelled");
});
await ext.run();
`;

async function started(): Promise<HostWorld> {
  const world = await HostWorld.create();
  world.files("notes", { "index.ts": EXTENSION, "extension.json": { name: "notes", exec: "./index.ts" } });
  await world.start();
  return world;
}

test("several questions, a page, a title and a draft go through the host, and the answers come back", async () => {
  await using world = await started();
  const { host, surface } = world;
  const result = host.tools.call("sign_in", "{}", LIVE);
  const { dialog, answer } = await surface.dialog();
  expect(dialog.question).toMatchObject({
    kind: "ask",
    questions: [
      { id: "where", multi: false, recommended: 1, options: [{ label: "here" }, { label: "there", preview: "far" }] },
      { id: "how", multi: true },
    ],
  });
  answer({
    kind: "answers",
    answers: [
      { id: "where", selectedOptions: [], customInput: " home " },
      { id: "how", selectedOptions: ["fast", "well"] },
    ],
  });
  const [block] = (await result).content;
  expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual({
    where: { selectedOptions: [], customInput: "home" },
    how: { selectedOptions: ["fast", "well"] },
  });
  expect((await surface.told("openUrl")).link).toMatchObject({
    extension: "notes",
    url: "https://example.invalid/login",
    instructions: "Sign in there",
  });
  expect((await surface.told("setTitle")).submission.text).toBe("signing in");
  expect((await surface.told("setEditorText")).submission.text).toBe("next");
  expect(world.diagnostics("notes")).toEqual([]);
});

test("a scheme is read and written through the host, and failures come as words", async () => {
  await using world = await started();
  const { uris } = world.host;
  expect(uris.schemes).toEqual([
    { scheme: "notes", description: "the team's notes", writable: true, immutable: false, extension: "notes" },
  ]);
  expect(await uris.read("notes://monday", LIVE)).toEqual({
    kind: "content",
    content: "# Monday\n",
    contentType: "text/markdown",
    notes: ["fresh"],
    immutable: false,
  });
  expect(await uris.write("notes://tuesday", "new", LIVE)).toEqual({ kind: "written", text: "" });
  expect(await uris.read("notes://tuesday", LIVE)).toMatchObject({ content: "new" });
  expect(await uris.read("notes://sunday", LIVE)).toEqual({ kind: "failed", text: "no such note: sunday" });
});

test("the model reads and writes through it with the tools it knows", async () => {
  await using world = await started();
  const tools = withUris(builtinTools(), world.host.uris);
  const run = async (name: string, args: object): Promise<string> => {
    const tool = tools.find((candidate) => candidate.name === name);
    const context = { callId: "c1", cwd: world.cwd, signal: LIVE, progress: () => undefined, update: () => undefined };
    const [block] = (await tool?.run(args, context))?.content ?? [];
    return block?.type === "text" ? block.text : "";
  };
  expect(tools.find(({ name }) => name === "read")?.description).toContain("notes:// (the team's notes)");
  const written = await run("write", { path: "notes://tuesday", content: "written by the model" });
  expect(written).toBe("Successfully wrote 20 bytes to notes://tuesday");
  expect(await run("read", { path: "notes://tuesday" })).toBe("written by the model");
  expect(await run("read", { path: "notes://sunday" })).toBe("no such note: sunday");
});
