import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";
import { takesKeys } from "./support/takes-keys.ts";

setDefaultTimeout(30_000);

/** Look at what changed, then say UPDATE_GOLDEN=1. */
const updates = process.env["UPDATE_GOLDEN"] === "1";
const golden = join(import.meta.dir, "golden");
const missing: string[] = [];

afterAll(() => {
  if (missing.length > 0) console.error(`golden screens written: ${missing.join(", ")}`);
});

const SIZES = [
  [80, 24],
  [40, 12],
] as const;

async function expectGolden(screen: Screen, name: string): Promise<void> {
  await screen.settles();
  // The only things that differ from run to run: how long extensions took, and which version this is.
  const text = `${screen.text.replace(/\d+ ms/g, "N ms").replace(/^zot \d\S*/m, "zot VERSION")}\n`;
  const path = join(golden, `${name}-${screen.cols}x${screen.rows}.txt`);
  if (updates || !existsSync(path)) {
    await mkdir(golden, { recursive: true });
    await writeFile(path, text);
    missing.push(name);
  }
  expect(text).toBe(await readFile(path, "utf8"));
  expect(screen.cursor.y).toBeLessThan(screen.rows);
}

interface View {
  readonly name: string;
  readonly args: readonly string[];
  act(screen: Screen): Promise<void>;
}

const VIEWS: readonly View[] = [
  { name: "first-screen", args: offline(), act: (screen) => screen.shows("/help") },
  { name: "no-model", args: ["--no-ext"], act: (screen) => screen.shows("/login") },
  {
    name: "conversation",
    args: offline(),
    act: async (screen) => {
      await screen.enter("say # Plan");
      await screen.shows(/^Plan$/m);
      await screen.enter('call bash {"command":"seq 1 20"}');
      await screen.shows("1 tool result");
    },
  },
  {
    name: "commands",
    args: offline(),
    act: async (screen) => {
      screen.type("/re");
      await screen.shows("reload-ext");
    },
  },
  {
    name: "panel",
    args: offline(showcase),
    act: async (screen) => {
      await screen.shows(STARTED);
      await screen.enter("/panel");
      await screen.shows("Echo");
    },
  },
  {
    name: "dialog",
    args: offline(showcase),
    act: async (screen) => {
      await screen.shows(STARTED);
      await screen.enter("/select");
      await screen.shows("like blood");
      await takesKeys(screen);
    },
  },
  {
    name: "confirmation",
    args: [...offline(), "--no-yolo"],
    act: async (screen) => {
      await screen.enter('call write {"path":"new.txt","content":"one\\ntwo\\n"}');
      await screen.shows("may write run?");
      await takesKeys(screen);
    },
  },
  {
    name: "chrome",
    args: offline(showcase),
    act: async (screen) => {
      await screen.shows(STARTED);
      for (const frame of [
        { type: "widget", id: "w", title: "Weather", lines: ["sunny, 21°", "wind 漢字 north"] },
        { type: "status", key: "s", text: "watching 3 files" },
        { type: "notify", level: "success", message: "all tests pass" },
      ]) {
        screen.type(`/frame ${JSON.stringify(frame)}\r`);
      }
      await screen.shows("all tests pass");
      await screen.shows("watching");
    },
  },
  {
    name: "models",
    args: offline(),
    act: async (screen) => {
      await screen.enter("/model");
      await screen.shows("offline/offline");
    },
  },
];

describe.skipIf(!zotIsBuilt)("golden screens", () => {
  for (const { name, args, act } of VIEWS) {
    for (const [cols, rows] of SIZES) {
      test(`${name} at ${cols}x${rows}`, async () => {
        await using home = await tempDir();
        await using screen = await openScreen(args, {
          home: home.path,
          cwd: join(home.path, "home", "project"),
          cols,
          rows,
        });
        await act(screen);
        await expectGolden(screen, name);
      });
    }
  }
});
