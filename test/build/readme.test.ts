import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const hasPython = Bun.which("python3") !== null;

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "zot-readme-"));
  mkdirSync(join(home, "shout"));
  writeFileSync(join(home, "shout", "extension.json"), block("json"));
  writeFileSync(join(home, "shout", "index.ts"), block("ts"));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The first code block in a language. */
function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(readme);
  if (found?.[1] === undefined) throw new Error(`README.md has no ${language} block`);
  return found[1];
}

function shell(line: string) {
  const env = { ...process.env, HOME: home, ZOT_HOME: join(home, "zot") };
  return command(["sh", "-c", line], { cwd: root, deadlineMs: 30_000, env });
}

describe("README.md", () => {
  const lines = readme.split("\n").filter((line) => line.startsWith("dist/zot") && line.includes("offline"));
  const runnable = lines.filter((line) => hasPython || !line.includes("weather"));

  test("shows first steps without a key", () => {
    expect(lines.length).toBeGreaterThan(2);
  });

  test.each(runnable)("%s", async (line) => {
    const { code, stdout, stderr } = await shell(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim()).not.toBe("");
    expect(stdout).not.toContain("failed");
  });

  test("has a first extension that works as it is printed", async () => {
    const { code, stdout } = await shell(`dist/zot -p --provider offline -e ${home}/shout 'call shout {"text":"hi"}'`);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("HI!") });
  });
});
