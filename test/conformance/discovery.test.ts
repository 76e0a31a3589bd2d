import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { HostWorld } from "../support/host.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { doctor } from "./support/doctor.ts";

// extension-host.md §10, Manifest and discovery: which of several extensions starts.

setDefaultTimeout(30_000);

/** In a shell script: counts its starts in a file beside it, and speaks the protocol under `name`. */
function counting(name: string): string {
  return `echo start >> starts\nprintf '{"type":"hello","name":"${name}"}\\n{"type":"ready"}\\n'\nwhile read -r line; do :; done`;
}

/** An extension in a folder of its own whose starts are counted. */
function put(world: HostWorld, folder: string, manifest: { readonly name: string; enabled?: boolean }, root?: string) {
  return world.shell(folder, counting(manifest.name), manifest, root);
}

/** How often the program in `dir` was run. */
function starts(dir: string): number {
  const path = join(dir, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

function running(world: HostWorld): string[] {
  return world.host.extensions.map(({ name, state, dir }) => `${name} ${state} ${basename(dir)}`);
}

describe("of several extensions", () => {
  test("007 the project's directory is started and the global one of the same basename is not, even when the former is disabled", async () => {
    await using world = await HostWorld.create();
    const project = put(world, "same", { name: "a" }, world.projectExtensions);
    const off = put(world, "off", { name: "b", enabled: false }, world.projectExtensions);
    const hidden = [put(world, "same", { name: "c" }), put(world, "off", { name: "b" })];
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(running(world)).toEqual(["a ready same"]);
    expect([project, off, ...hidden].map(starts)).toEqual([1, 0, 0, 0]);
  });

  test.skipIf(!zotIsBuilt)(
    "008 two global directories with one manifest name start one process, that of the first directory, and doctor says shadowed",
    async () => {
      await using world = await HostWorld.create();
      const [second, first] = [put(world, "two", { name: "twin" }), put(world, "one", { name: "twin" })];
      await world.start();
      expect(running(world)).toEqual(["twin ready one"]);
      expect([first, second].map(starts)).toEqual([1, 0]);

      const report = await doctor(world);
      expect(report).toContain(`twin [global] ok (${first})\n`);
      expect(report).toContain(`twin [global] shadowed (${second})\n  note: skipped because ${first} `);
      expect([first, second].map(starts)).toEqual([2, 0]);
    },
  );

  test("009 an explicit one wins over an installed one of the same manifest name, which is not started", async () => {
    await using world = await HostWorld.create({ host: { explicit: ["./x"] } });
    const explicit = put(world, "x", { name: "weather" }, world.cwd);
    const installed = [put(world, "weather", { name: "weather" })];
    installed.push(put(world, "other", { name: "weather" }, world.projectExtensions));
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(running(world)).toEqual(["weather ready x"]);
    expect([explicit, ...installed].map(starts)).toEqual([1, 0, 0]);
  });

  test.skipIf(!zotIsBuilt)("010 with --no-ext only explicit ones start", async () => {
    await using world = await HostWorld.create();
    const explicit = put(world, "x", { name: "x" }, world.cwd);
    const others = [put(world, "a", { name: "a" }), put(world, "b", { name: "b" }, world.projectExtensions)];
    const report = await doctor(world, "--no-ext", "--ext", "./x");
    expect(report).toContain(`x [explicit] ok (${explicit})\n`);
    expect([explicit, ...others].map(starts)).toEqual([1, 0, 0]);
  });

  test("011 one in a hidden directory is skipped", async () => {
    await using world = await HostWorld.create();
    const hidden = [put(world, ".hidden", { name: "a" }), put(world, ".b", { name: "b" }, world.projectExtensions)];
    const seen = put(world, "seen", { name: "c" });
    await world.start();
    expect(world.host.candidates.map(({ dir }) => dir)).toEqual([seen]);
    expect(world.loadErrors).toEqual([]);
    expect(hidden.map(starts)).toEqual([0, 0]);
  });

  test("012 a link to a directory is followed, and one that leads nowhere is ignored", async () => {
    await using world = await HostWorld.create();
    const copy = put(world, "working-copy", { name: "linked" }, world.cwd);
    const root = join(world.home, "extensions");
    symlinkSync(copy, join(root, "link"));
    symlinkSync(join(world.cwd, "nowhere"), join(root, "dangling"));
    symlinkSync(join(root, "circle"), join(root, "circle"));
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(running(world)).toEqual(["linked ready link"]);
    expect(starts(copy)).toBe(1);
  });
});
