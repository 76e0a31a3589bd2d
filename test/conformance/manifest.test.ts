import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { openScreen } from "../interactive/support/screen.ts";
import { HostWorld } from "../support/host.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { AgentWorld } from "./support/agent-world.ts";
import { doctor } from "./support/doctor.ts";

// extension-host.md §10, Manifest and discovery: what one manifest says.

setDefaultTimeout(30_000);

/** Leaves a mark beside the manifest when it is run; as a program of an extension that must not be. */
const MARKS = { run: "#!/bin/sh\ntouch started\n" };

function wasStarted(dir: string): boolean {
  return existsSync(join(dir, "started"));
}

/** The text of a `SKILL.md`. */
function skill(description: string, body = "Do it."): string {
  return `---\ndescription: ${description}\n---\n${body}\n`;
}

describe("a manifest", () => {
  test("001 that is not there: the directory is neither an error nor in the way of a global one of its name", async () => {
    await using world = await HostWorld.create();
    mkdirSync(join(world.projectExtensions, "same"));
    world.puppet("same");
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(world.host.candidates.map(({ scope, name }) => [scope, name])).toEqual([["global", "same"]]);
    expect(world.extension("same").state).toBe("ready");
  });

  test("002 that names nothing to load is an error which says so, and the other extensions load", async () => {
    await using world = await HostWorld.create();
    const dir = world.files("a", { "extension.json": { name: "a" } });
    world.puppet("b");
    await world.start();
    expect(world.loadErrors).toEqual([`${dir}: manifest: exec, theme, or skills is required`]);
    expect(world.extension("b").state).toBe("ready");
  });

  test("003 that is broken JSON is an error that names the directory and the fault", async () => {
    await using world = await HostWorld.create();
    const texts = ['{"name":"a",', '{"name":"a","exec":"true"} trailing', '{"name":"a","exec":"true",}', ""];
    const dirs = texts.map((text, index) => world.files(`dir-${index}`, { "extension.json": text }));
    await world.start();
    expect(world.loadErrors).toHaveLength(texts.length);
    for (const [index, dir] of dirs.entries()) expect(world.loadErrors[index]).toStartWith(`${dir}: parse manifest: `);
  });

  test("004 with a member of the wrong type is a parse error, and nothing is spawned", async () => {
    await using world = await HostWorld.create();
    const dir = world.shell("a", MARKS.run, { args: "x" });
    await world.start();
    expect(world.loadErrors).toEqual([expect.stringMatching(/^.*\/a: parse manifest: args: /)]);
    expect(wasStarted(dir)).toBe(false);
    expect(existsSync(join(world.home, "logs"))).toBe(false);
  });

  test("005 with unknown members and an enabled that is null loads", async () => {
    await using world = await HostWorld.create();
    world.python("a", "hello()\nready()\nidle()", { enabled: null, publisher: { name: "x" }, contributes: [1, null] });
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(world.extension("a").state).toBe("ready");
  });

  test.skipIf(!zotIsBuilt)("006 that is disabled gives no process and no error, and doctor says disabled", async () => {
    await using world = await HostWorld.create();
    const dir = world.shell("a", MARKS.run, { enabled: false });
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(world.host.extensions).toEqual([]);
    expect(await doctor(world)).toContain(`a [global] disabled (${dir})\n  note: disabled in extension.json\n`);
    expect(wasStarted(dir)).toBe(false);
  });

  test("022 whose name leads out of the log folder is refused, and nothing is written anywhere", async () => {
    await using world = await HostWorld.create();
    const before = readdirSync(dirname(world.home)).sort();
    const names = ["../evil", "..\\evil", "/evil", ".evil", "evil\u0000", " evil", "a/../../evil"];
    const dirs = names.map((name, index) => world.shell(`dir-${index}`, MARKS.run, { name }));
    await world.start();
    expect(world.loadErrors).toHaveLength(names.length);
    for (const error of world.loadErrors) expect(error).toContain(": manifest: invalid name ");
    expect(dirs.filter(wasStarted)).toEqual([]);
    expect(existsSync(join(world.home, "logs"))).toBe(false);
    expect(readdirSync(dirname(world.home)).sort()).toEqual(before);
  });
});

describe("an extension without exec", () => {
  test.skipIf(!zotIsBuilt)(
    "013 but with a theme has no process, is ready at once, and its theme can be chosen",
    async () => {
      await using world = await HostWorld.create();
      const theme = { colors: { accent: "#123456" } };
      const dir = world.files("dusk", { "extension.json": { name: "dusk" }, "themes/theme.json": theme });
      await world.start();
      expect(world.loadErrors).toEqual([]);
      const { state, hasProcess, logPath } = world.extension("dusk");
      expect({ state, hasProcess, logPath }).toEqual({ state: "ready", hasProcess: false, logPath: undefined });
      expect(existsSync(join(world.home, "logs"))).toBe(false);
      expect(await doctor(world)).toContain(`dusk [global] theme-only (${dir})\n  type: theme-only\n`);

      await using screen = await openScreen(["--provider", "offline"], { env: { ZOT_HOME: world.home } });
      await screen.shows("offline/offline");
      await screen.enter("/theme");
      await screen.shows(/dusk\s+from dusk/);
    },
  );

  test.skipIf(!zotIsBuilt)(
    "014 but with skills has no process, and its skills are listed and can be loaded",
    async () => {
      await using world = await AgentWorld.create({
        turns: [
          { calls: [{ name: "skill", args: { name: "brew" } }] },
          { calls: [{ name: "skill", args: { name: "nope" } }] },
          {},
        ],
        extensions: (host) => {
          host.files("kitchen", {
            "extension.json": { name: "kitchen", skills: ["s", "more/deep/SKILL.md"] },
            "s/drinks/brew/SKILL.md": skill("Makes tea", "Boil the water first."),
            "s/drinks/brew/notes/SKILL.md": skill("Is part of brew, not a skill"),
            "more/deep/SKILL.md": `---\nname: bake\ndescription: >\n  Makes\n  bread\n---\nKnead.\n`,
            "s/private/SKILL.md": "---\ndescription: For humans\ndisable-model-invocation: true\n---\n",
          });
        },
      });
      const { extensions } = world;
      expect(extensions.loadErrors).toEqual([]);
      expect(extensions.extension("kitchen")).toMatchObject({ state: "ready", hasProcess: false, logPath: undefined });
      expect(extensions.diagnostics("kitchen")).toEqual([]);
      expect(extensions.host.skills.map(({ name, extension }) => [name, extension])).toEqual([
        ["brew", "kitchen"],
        ["private", "kitchen"],
        ["bake", "kitchen"],
      ]);
      expect(await doctor(extensions)).toContain("  type: skills-only\n  skills:\n    brew\n    private\n    bake\n");

      await world.say("tea, please");
      const offered = JSON.stringify(world.server.requests[0]?.at("tools"));
      expect(offered).toContain("- brew: Makes tea\\n- bake: Makes bread");
      expect(offered).not.toContain("private");
      const [loaded, unknown] = world.results;
      expect(loaded?.text).toMatch(
        /^# Skill: brew\n\nMakes tea\n\n.*s\/drinks\/brew\n\n---\n\nBoil the water first\.$/,
      );
      expect(unknown).toEqual({ text: 'unknown skill "nope"; there are brew, bake', isError: true });
    },
  );
});

test.skipIf(!zotIsBuilt)(
  "015 a skill path that is absolute or leaves the directory, also by a symlink, costs that skill and a diagnostic only",
  async () => {
    await using world = await HostWorld.create();
    const outside = world.files("outside", { "SKILL.md": skill("Somebody else's") }, world.cwd);
    const entries = ["../x", "..", ".", "", outside, "link", "gone", "halves", "good"];
    const says = '{"type":"hello","name":"a"}\\n{"type":"ready"}\\n';
    const dir = world.shell("a", `printf '${says}'; while read -r line; do :; done`, { skills: entries });
    world.files("a", {
      "good/SKILL.md": skill("Stays"),
      "halves/fine/SKILL.md": skill("Stays too"),
      "halves/empty/SKILL.md": "no frontmatter",
    });
    symlinkSync(outside, join(dir, "link"));
    symlinkSync(outside, join(dir, "halves", "folder"));
    mkdirSync(join(dir, "halves", "file"));
    symlinkSync(join(outside, "SKILL.md"), join(dir, "halves", "file", "SKILL.md"));
    // Round in a circle, but inside.
    symlinkSync(join(dir, "halves"), join(dir, "halves", "again"));

    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(world.extension("a").state).toBe("ready");
    expect(world.host.skills.map(({ name }) => name)).toEqual(["fine", "good"]);
    const faults = [
      'skill: skill path "../x" escapes the extension directory',
      'skill: skill path ".." escapes the extension directory',
      'skill: skill path "." escapes the extension directory',
      'skill: skill path "" must be a relative directory',
      `skill: skill path ${JSON.stringify(outside)} must be a relative directory`,
      'skill: skill path "link" escapes the extension directory through a symlink',
      'skill: skill path "gone" does not exist',
      "skill: halves/file/SKILL.md escapes the extension directory through a symlink",
      "skill: halves/folder escapes the extension directory through a symlink",
      "skill: halves/empty/SKILL.md: has no frontmatter with a description",
    ];
    expect(world.diagnostics("a")).toEqual(faults);
    for (const fault of faults) expect(world.log("a")).toContain(`[zot] ${fault}\n`);
    expect(await doctor(world)).toContain(faults.map((fault) => `  warning: ${fault}\n`).join(""));
  },
);
