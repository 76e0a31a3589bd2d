import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSystemPrompt } from "../../src/agent/system-prompt.ts";
import { tempDir } from "../support/temp-dir.ts";

const now = new Date(2026, 0, 2);

async function folders() {
  const dir = await tempDir("zot-prompt-");
  const home = join(dir.path, "home");
  const cwd = join(dir.path, "a", "b");
  mkdirSync(home);
  mkdirSync(cwd, { recursive: true });
  return { dir, home, cwd };
}

test("the prompt is identity, additions, AGENTS.md from the home down to the project, date and directory", async () => {
  const { dir, home, cwd } = await folders();
  await using _dir = dir;
  writeFileSync(join(home, "AGENTS.md"), "rule of the home");
  writeFileSync(join(dir.path, "a", "AGENTS.md"), "rule of a");
  writeFileSync(join(cwd, "AGENTS.md"), "rule of b");
  const prompt = buildSystemPrompt({ home, cwd, append: ["first", "second"], useContextFiles: true, now });
  const order = [
    "You are zot",
    "first",
    "second",
    "rule of the home",
    "rule of a",
    "rule of b",
    "Current date: 2026-01-02",
    cwd,
  ];
  const places = order.map((text) => prompt.lastIndexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("SYSTEM.md takes the place of the identity, and a prompt that was given takes the place of both", async () => {
  const { dir, home, cwd } = await folders();
  await using _dir = dir;
  writeFileSync(join(home, "SYSTEM.md"), "I am the house.");
  const base = { home, cwd, append: [], useContextFiles: false, now };
  expect(buildSystemPrompt(base)).toStartWith("I am the house.");
  expect(buildSystemPrompt(base)).not.toContain("You are zot");
  expect(buildSystemPrompt({ ...base, replace: "given" })).toStartWith("given\n\nCurrent date");
  expect(buildSystemPrompt({ ...base, replace: "" })).toStartWith("Current date");
});

test("context files are left out when they are not wanted, and one that is no file holds nothing up", async () => {
  const { dir, home, cwd } = await folders();
  await using _dir = dir;
  writeFileSync(join(cwd, "AGENTS.md"), "rule of b");
  expect(buildSystemPrompt({ home, cwd, append: [], useContextFiles: false, now })).not.toContain("rule of b");
  expect(Bun.spawnSync(["mkfifo", join(home, "AGENTS.md"), join(home, "SYSTEM.md")]).exitCode).toBe(0);
  expect(buildSystemPrompt({ home, cwd, append: [], useContextFiles: true, now })).toContain("rule of b");
});
