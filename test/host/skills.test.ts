import { describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSkillFile } from "../../src/host/launch/skill-file.ts";
import { bundledSkills } from "../../src/host/launch/skills.ts";
import { tempDir } from "../support/temp-dir.ts";

async function put(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe("a SKILL.md", () => {
  const files: Record<string, object> = {
    "---\ndescription: D\n---\nBody\n": { name: "folder", description: "D", isForModel: true, body: "Body" },
    "\uFEFF---\r\nname: n\r\ndescription: D\r\n---\r\nA\r\n---\r\nB": { name: "n", body: "A\r\n---\r\nB" },
    "---\ndescription: D\ndisable-model-invocation: true\nallowed-tools: [x]\n---": { isForModel: false, body: "" },
    [`---\ndescription: ${"d".repeat(2_000)}\n---\n`]: { description: "d".repeat(1_024) },
    "": { fault: "has no frontmatter with a description" },
    "# Heading\n---\ndescription: D\n---\n": { fault: "has no frontmatter with a description" },
    "---\ndescription: D\n": { fault: "has no frontmatter with a description" },
    "---\n---\nBody": { fault: expect.stringMatching(/^description: /) },
    "---\n- description\n---\n": { fault: expect.any(String) },
    "---\ndescription: [D]\n---\n": { fault: expect.stringMatching(/^description: /) },
    "---\nname: 5\ndescription: D\n---\n": { fault: expect.stringMatching(/^name: /) },
    '---\ndescription: "D\n---\n': { fault: expect.any(String) },
    [`---\ndescription: D\n---\n${"x".repeat(256 * 1024)}`]: { fault: "larger than 262144 bytes" },
  };
  for (const [text, expected] of Object.entries(files)) {
    test(`${JSON.stringify(text.slice(0, 60))} is read`, async () => {
      await using dir = await tempDir();
      expect(readSkillFile(await put(join(dir.path, "SKILL.md"), text), "folder")).toMatchObject(expected);
    });
  }

  test("that is not there is a fault", () => {
    expect(readSkillFile(join(import.meta.dir, "SKILL.md"), "x")).toEqual({ fault: "no such file or directory" });
  });
});

describe("the skills of an extension", () => {
  const text = "---\ndescription: D\n---\n";

  test("count once, however many entries and links lead to them, and the first of a name counts", async () => {
    await using dir = await tempDir();
    const first = await put(join(dir.path, "a", "one", "SKILL.md"), text);
    await put(join(dir.path, "b", "one", "SKILL.md"), text);
    await symlink(join(dir.path, "a"), join(dir.path, "c"));
    const { skills, faults } = bundledSkills(dir.path, [" a ", "a", "c", "a/one/SKILL.md", "b"]);
    expect(skills.map(({ name, path }) => [name, path])).toEqual([["one", first]]);
    expect(faults).toEqual(["skill: b/one/SKILL.md: there is another skill called one"]);
  });

  test("are not looked for in hidden folders, among packages, or without end", async () => {
    await using dir = await tempDir();
    const deep = "deep/".repeat(12);
    for (const folder of [".git/x", "node_modules/x", deep]) await put(join(dir.path, "s", folder, "SKILL.md"), text);
    expect(bundledSkills(dir.path, ["s"])).toEqual({ skills: [], faults: [] });
  });

  test("may lie behind a link to the extension itself", async () => {
    await using dir = await tempDir();
    await put(join(dir.path, "real", "s", "SKILL.md"), text);
    await symlink(join(dir.path, "real"), join(dir.path, "link"));
    expect(bundledSkills(join(dir.path, "link"), ["s"]).skills).toMatchObject([{ name: "s", description: "D" }]);
  });
});
