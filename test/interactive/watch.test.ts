import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readlink, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SourceWatch, WATCHED_FOLDERS_MAX } from "../../src/surfaces/interactive/extensions/source-watch.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { runZot, zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const says = (word: string): string =>
  `import { display, extension } from "zot/ext";
import { WORD } from "./lib/word.js";
const ext = extension({ name: "talker" });
ext.command("word", { description: "says it" }, () => display(\`${word} \${WORD}\`));
await ext.run();
`;

async function makeTalker(folder: string): Promise<string> {
  const home = join(folder, "talker");
  await mkdir(join(home, "lib"), { recursive: true });
  await writeFile(join(home, "extension.json"), JSON.stringify({ name: "talker", exec: "./index.js" }));
  await writeFile(join(home, "lib", "word.js"), 'export const WORD = "one";\n');
  await writeFile(join(home, "index.js"), says("first"));
  return home;
}

describe.skipIf(!zotIsBuilt)("zot --watch", () => {
  test("a file that is saved is in use a moment later, and one line says so", async () => {
    await using dir = await tempDir();
    const home = await makeTalker(dir.path);
    await using screen = await openScreen([...offline(home), "--watch"]);
    await screen.shows(STARTED);
    await screen.enter("/word");
    await screen.shows("first one");
    await writeFile(join(home, "index.js"), says("second"));
    await screen.shows(/^index\.js changed · reloaded: 1 stopped, 1 loaded \(1 ready\) · \d+ ms$/m);
    await screen.enter("/word");
    await screen.shows("second one");
    // An editor that writes beside the file and moves it there, in a folder below.
    await writeFile(join(home, "lib", "word.js~"), 'export const WORD = "two";\n');
    await rename(join(home, "lib", "word.js~"), join(home, "lib", "word.js"));
    await screen.shows("word.js changed · reloaded");
    await screen.enter("/word");
    await screen.shows("second two");
  });

  test("an error stands in red until the file is right again", async () => {
    await using dir = await tempDir();
    const home = await makeTalker(dir.path);
    await using screen = await openScreen([...offline(home), "--watch"]);
    await screen.shows(STARTED);
    await writeFile(join(home, "index.js"), "throw new Error('broken now');\n");
    await screen.shows("✗ extension load:");
    await screen.shows("1 error");
    await writeFile(join(home, "index.js"), says("mended"));
    await screen.hides("extension load:");
    await screen.enter("/word");
    await screen.shows("mended one");
  });

  test("a running turn is not disturbed", async () => {
    await using dir = await tempDir();
    const home = await makeTalker(dir.path);
    await using screen = await openScreen([...offline(home), "--watch"]);
    await screen.shows(STARTED);
    await screen.enter('call bash {"command":"sleep 1.5; echo undisturbed"}');
    await screen.shows("◐ bash");
    await writeFile(join(home, "index.js"), says("second"));
    await screen.shows("index.js changed · reloaded");
    // The turn came to its own end first, with the result of its command.
    expect(screen.text).toMatch(/^ {2}undisturbed$[\s\S]*undisturbed \[exit 0\][\s\S]*index\.js changed/m);
  });

  test("an extension that writes its own source at every start does not keep it reloading for ever", async () => {
    await using dir = await tempDir();
    const home = await makeTalker(dir.path);
    const source = 'import { writeFileSync } from "node:fs";\nwriteFileSync("made.js", String(Date.now()));\n';
    await writeFile(join(home, "lib", "word.js"), `${source}export const WORD = "one";\n`);
    await using screen = await openScreen([...offline(home), "--watch"], { rows: 60 });
    await screen.shows(STARTED);
    await writeFile(join(home, "index.js"), says("second"));
    await screen.shows("watch mode is off");
  });

  test("it needs something to watch, and a screen", async () => {
    const without = await runZot(["--watch"]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("--ext PATH")]);
    const print = await runZot(["--watch", "--ext", ".", "-p", "hi"]);
    expect([print.code, print.stderr]).toEqual([2, expect.stringContaining("--watch is for the screen")]);
  });
});

describe("watching sources", () => {
  test("what an extension writes for itself is no change; sources, manifests and programs are, once a burst", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "node_modules", "dep"), { recursive: true });
    await mkdir(join(dir.path, ".git"));
    const bursts: (readonly string[])[] = [];
    const faults: string[] = [];
    using _watch = new SourceWatch({
      paths: [dir.path],
      changed: (names) => bursts.push(names),
      fault: (text) => faults.push(text),
    });
    for (const name of ["state.json", "run.log", ".git/config.js", "node_modules/dep/index.js", "notes"]) {
      await writeFile(join(dir.path, name), "x");
    }
    const sources = ["a.ts", "b.py", "extension.json"];
    for (const name of sources) await writeFile(join(dir.path, name), "x");
    await writeFile(join(dir.path, "run"), "#!/bin/sh\n", { mode: 0o755 });
    await until("a burst of changes", () => bursts.length > 0);
    expect(bursts.flat().toSorted()).toEqual([...sources, "run"].toSorted());
    expect(bursts).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("of a single file only that one counts, and a folder that is made later counts too", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "only.js");
    const tree = join(dir.path, "tree");
    await mkdir(tree);
    await writeFile(file, "1");
    const names: string[] = [];
    using _watch = new SourceWatch({
      paths: [file, tree],
      changed: (changed) => names.push(...changed),
      fault: (text) => names.push(text),
    });
    await writeFile(join(dir.path, "other.js"), "1");
    await writeFile(file, "2");
    await until("only.js", () => names.includes("only.js"));
    await mkdir(join(tree, "later"));
    // The folder has to be seen before what is written into it can be.
    await until("a file in the new folder", async () => {
      await writeFile(join(tree, "later", "new.ts"), String(names.length));
      return names.includes("new.ts");
    });
    expect(names).not.toContain("other.js");
  });

  test.skipIf(process.platform !== "linux")("watchers are bounded, and none is left behind", async () => {
    await using dir = await tempDir();
    await Promise.all(Array.from({ length: WATCHED_FOLDERS_MAX + 20 }, (_, n) => mkdir(join(dir.path, `d${n}`))));
    const before = await watchesOf();
    for (let n = 0; n < 3; n += 1) {
      const faults: string[] = [];
      const watch = new SourceWatch({
        paths: [dir.path],
        changed: () => undefined,
        fault: (text) => faults.push(text),
      });
      expect(faults).toHaveLength(1);
      expect(await watchesOf()).toBeGreaterThan(before);
      watch[Symbol.dispose]();
    }
    await until("the watchers to be gone", async () => (await watchesOf()) <= before);
  });
});

/** Places that this process watches. */
async function watchesOf(): Promise<number> {
  let count = 0;
  for (const fd of await readdir("/proc/self/fd")) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
    if (!target.includes("inotify")) continue;
    const info = await Bun.file(`/proc/self/fdinfo/${fd}`).text();
    count += info.split("\n").filter((line) => line.startsWith("inotify ")).length;
  }
  return count;
}
