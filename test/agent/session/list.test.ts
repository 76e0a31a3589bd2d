import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sessionFolder } from "../../../src/agent/session/path.ts";
import { assistant, type Home, MODEL, testHome, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

const GiB = 1024 ** 3;

function meta(id: string, more = ""): string {
  return `{"type":"meta","meta":{"id":"${id}","cwd":"/project","model":"m","provider":"p","started":"2026-01-01T00:00:00Z","version":"0"${more}}}\n`;
}

function prompt(text: string): string {
  return `{"type":"message","message":{"role":"user","content":[{"text":${JSON.stringify(text)}}],"time":"2026-01-01T00:00:00Z"}}\n`;
}

/** A session file that was last written `age` seconds before a fixed time. */
function put(home: Home, name: string, text: string, age: number): string {
  const folder = sessionFolder(home.dir.path, "/project");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, 1_700_000_000 - age, 1_700_000_000 - age);
  return path;
}

describe("the list of sessions", () => {
  test("is in the order of their last use and names each by what it is called", async () => {
    await using home = await testHome();
    put(home, "a.jsonl", meta("prompt") + prompt("the first\nprompt") + prompt("second"), 30);
    put(home, "b.jsonl", meta("titled", ',"title":"from meta"') + prompt("x"), 10);
    put(
      home,
      "c.jsonl",
      `${meta("renamed", ',"title":"from meta"')}${prompt("x")}{"type":"rename","title":"newest"}\n`,
      20,
    );
    put(home, "d.jsonl", meta("hidden", ',"hide_from_sessions":true') + prompt("x"), 1);
    put(home, "e.jsonl", meta("empty"), 2);
    put(home, "f.jsonl", "garbage\n", 3);
    put(home, "g.jsonl", meta("fork", ',"parent":"prompt","fork_point":1') + prompt("x"), 40);
    put(home, ".hidden.jsonl", meta("no session") + prompt("x"), 0);
    mkdirSync(join(sessionFolder(home.dir.path, "/project"), "folder.jsonl"));
    const list = await home.store.list();
    expect(list.map(({ id, title }) => [id, title])).toEqual([
      ["titled", "from meta"],
      ["renamed", "newest"],
      ["prompt", "the first prompt"],
      ["fork", "x"],
    ]);
    expect(list[3]).toMatchObject({ parent: "prompt", cwd: "/project", model: "m", modified: 1_699_999_960_000 });
    expect(await home.otherStore("/none").list()).toEqual([]);
  });

  test("of 300 files, one of them of 64 GiB, reads a bounded part of each", async () => {
    await using home = await testHome();
    for (let index = 0; index < 299; index += 1)
      put(home, `${index}.jsonl`, meta(`id-${index}`) + prompt(`p ${index}`), index);
    const huge = put(home, "huge.jsonl", meta("huge") + prompt("begin"), 0);
    // A hole takes no room on the disk, but whoever reads all of it would be at it for minutes.
    truncateSync(huge, 64 * GiB);
    appendFileSync(huge, '\n{"type":"rename","title":"at the end"}\n');
    const before = process.memoryUsage().rss;
    const list = await home.store.list();
    expect(list).toHaveLength(300);
    expect(list.find(({ id }) => id === "huge")).toMatchObject({ title: "at the end", bytes: expect.any(Number) });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("finds the title of a long session, wherever it was given", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("begin"));
    for (let turn = 0; turn < 40; turn += 1) {
      session.appendAssistant(assistant("long ".repeat(2_000)));
      if (turn === 20) session.rename("given in the middle");
    }
    session.close();
    readStrictly(readFileSync(session.path));
    const [summary] = await home.store.list();
    expect(summary).toMatchObject({ id: session.id, title: "given in the middle" });
  });

  test("names a session whose first prompt is longer than what is read of it", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user(`look at "this":\n${"pasted ".repeat(50_000)}`));
    session.close();
    const [summary] = await home.store.list();
    expect(summary?.title).toStartWith('look at "this": pasted pasted');
    expect([...(summary?.title ?? "")].length).toBeLessThanOrEqual(200);
  });

  test("knows the id of a session whose first row is longer than what is read of others", async () => {
    await using home = await testHome();
    put(home, "goals.jsonl", meta("goals", `,"goal_history":["${"x".repeat(200_000)}"]`) + prompt("x"), 0);
    expect((await home.store.list()).map(({ id }) => id)).toEqual(["goals"]);
  });

  test("continues the newest that has something in it, whatever lies beside it", async () => {
    await using home = await testHome();
    put(home, "old.jsonl", meta("old") + prompt("old"), 60);
    put(home, "used.jsonl", meta("used") + prompt("used"), 50);
    put(home, "empty.jsonl", meta("empty"), 2);
    put(home, "garbage.jsonl", `${"garbage ".repeat(40_000)}\n`, 1);
    put(home, "zero.jsonl", "", 0);
    using session = await home.store.continueNewest();
    expect(session?.id).toBe("used");
    // What looked like a session and is none is named.
    expect(home.warnings).toEqual([
      `session ${join(dirname(session?.path ?? ""), "garbage.jsonl")}: there is no session in it`,
    ]);
  });
});

test("a row of an image of many megabytes is read back whole", async () => {
  await using home = await testHome();
  const data = Buffer.alloc(24 * 1024 * 1024, "zot").toString("base64");
  const session = home.store.create(MODEL);
  session.appendUser({
    ...user("look"),
    content: [
      { type: "image", mimeType: "image/png", data },
      { type: "text", text: "look" },
    ],
  });
  session.appendAssistant(assistant("seen"));
  session.close();
  using again = await home.store.continueNewest();
  const [image] = again?.messages[0]?.content ?? [];
  expect(image?.type === "image" && image.data === data).toBe(true);
  expect(again?.messages).toHaveLength(2);
}, 20_000);
