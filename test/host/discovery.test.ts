import { describe, expect, test } from "bun:test";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Candidate, type DiscoveryOptions, discover } from "../../src/host/launch/discovery.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

interface Place extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly global: string;
  readonly project: string;
  find(options?: Partial<DiscoveryOptions>): Candidate[];
}

async function place(): Promise<Place> {
  const dir: TempDir = await tempDir();
  const [home, cwd] = [join(dir.path, "home"), join(dir.path, "cwd")];
  const [global, project] = [join(home, "extensions"), join(cwd, ".zot", "extensions")];
  await mkdir(global, { recursive: true });
  await mkdir(project, { recursive: true });
  return {
    home,
    cwd,
    global,
    project,
    find: (options = {}) => discover({ explicit: [], scan: true, cwd, home, ...options }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

async function put(root: string, dir: string, manifest: object | string = {}): Promise<string> {
  const path = join(root, dir);
  await mkdir(path, { recursive: true });
  const text = typeof manifest === "string" ? manifest : JSON.stringify({ name: dir, exec: "x", ...manifest });
  await writeFile(join(path, "extension.json"), text);
  return path;
}

/** `scope directory name verdict`, in load order. */
function told(candidates: readonly Candidate[]): string[] {
  expect(candidates.map(({ loadIndex }) => loadIndex)).toEqual(candidates.map((_, index) => index));
  return candidates.map(({ scope, dir, name, verdict }) => `${scope} ${basename(dir)} ${name} ${verdict.kind}`);
}

test("explicit ones come as given, then the project's and the global ones, each sorted", async () => {
  await using at = await place();
  const explicit = [await put(at.cwd, "z"), await put(at.cwd, "y")];
  for (const dir of ["b", "a"]) await put(at.global, dir);
  for (const dir of ["d", "c"]) await put(at.project, dir);
  expect(told(at.find({ explicit }))).toEqual([
    "explicit z z winner",
    "explicit y y winner",
    "project c c winner",
    "project d d winner",
    "global a a winner",
    "global b b winner",
  ]);
});

test("without scanning only explicit ones count", async () => {
  await using at = await place();
  await put(at.global, "a");
  await put(at.project, "b");
  expect(told(at.find({ explicit: [await put(at.cwd, "x")], scan: false }))).toEqual(["explicit x x winner"]);
});

describe("of one name", () => {
  test("the explicit one wins over the project's, that over the global one", async () => {
    await using at = await place();
    const explicit = [await put(at.cwd, "mine", { name: "same" })];
    await put(at.project, "p", { name: "same" });
    await put(at.global, "g", { name: "same" });
    const found = at.find({ explicit });
    expect(told(found)).toEqual(["explicit mine same winner", "project p same shadowed", "global g same shadowed"]);
    expect(found[1]?.verdict).toEqual({ kind: "shadowed", by: join(at.cwd, "mine") });
  });

  test("the first directory wins", async () => {
    await using at = await place();
    await put(at.global, "one", { name: "same" });
    await put(at.global, "two", { name: "same" });
    expect(told(at.find())).toEqual(["global one same winner", "global two same shadowed"]);
  });
});

test("a directory of the project hides the global one of the same basename, even when disabled or broken", async () => {
  await using at = await place();
  for (const dir of ["a", "b", "c"]) await put(at.global, dir, { name: `global-${dir}` });
  await put(at.project, "a", { name: "other" });
  await put(at.project, "b", { enabled: false });
  await put(at.project, "c", "{");
  expect(told(at.find())).toEqual([
    "project a other winner",
    "project b b disabled",
    "project c c error",
    "global a global-a shadowed",
    "global b global-b shadowed",
    "global c global-c shadowed",
  ]);
});

test("disabled ones do not start and free their name, but --ext revives one", async () => {
  await using at = await place();
  const off = await put(at.global, "a", { name: "same", enabled: false });
  await put(at.global, "b", { name: "same" });
  expect(told(at.find())).toEqual(["global a same disabled", "global b same winner"]);
  expect(told(at.find({ explicit: [off] }))[0]).toBe("explicit a same winner");
});

test("hidden directories, files, and directories without a manifest are not looked at", async () => {
  await using at = await place();
  await put(at.global, ".hidden");
  await mkdir(join(at.project, "empty"));
  await put(at.global, "empty");
  await writeFile(join(at.global, "file"), "");
  expect(told(at.find())).toEqual(["global empty empty winner"]);
});

test("a link to a directory is followed, a dangling one ignored, and roots may be missing", async () => {
  await using at = await place();
  await symlink(await put(at.cwd, "real", { name: "linked" }), join(at.global, "link"));
  await symlink(join(at.cwd, "nowhere"), join(at.global, "dangling"));
  expect(told(at.find())).toEqual(["global link linked winner"]);
  expect(at.find({ home: join(at.cwd, "no-home"), cwd: join(at.cwd, "no-cwd") })).toEqual([]);
});

describe("--ext takes", () => {
  test("a directory, relative to the project", async () => {
    await using at = await place();
    await put(at.cwd, "x");
    expect(told(at.find({ explicit: ["./x"], scan: false }))).toEqual(["explicit x x winner"]);
  });

  test("a single file, known by its own name", async () => {
    await using at = await place();
    const files: Record<string, object> = {
      "tool.ts": { name: "tool", exec: join(at.cwd, "tool.ts"), args: [], language: "typescript" },
      "script.py": { name: "script", exec: "python3", args: [join(at.cwd, "script.py")], language: "python" },
      program: { name: "program", exec: join(at.cwd, "program"), args: [], language: "" },
    };
    for (const file of Object.keys(files)) {
      await writeFile(join(at.cwd, file), "");
      await chmod(join(at.cwd, file), 0o755);
    }
    const found = at.find({ explicit: Object.keys(files), scan: false });
    expect<unknown>(found.map(({ manifest }) => manifest)).toMatchObject(Object.values(files));
    expect(found.every(({ dir }) => dir === at.cwd)).toBe(true);
  });

  test("nothing else", async () => {
    await using at = await place();
    await mkdir(join(at.cwd, "plain"));
    await writeFile(join(at.cwd, ".py"), "");
    const found = at.find({ explicit: ["nowhere", "plain", ".py"], scan: false });
    expect(
      found.map(({ name, verdict }) => [name, verdict.kind === "error" ? verdict.error.message : verdict.kind]),
    ).toEqual([
      ["nowhere", "no such file or directory"],
      ["plain", `read manifest: ${join(at.cwd, "plain", "extension.json")}: no such file or directory`],
      [".py", expect.stringContaining("invalid name")],
    ]);
  });
});
