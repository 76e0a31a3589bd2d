import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, served } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const KEY = "sk-not-for-any-eyes";

async function login(screen: Screen): Promise<void> {
  await screen.enter("/login openai");
  await screen.shows("API key for openai");
  screen.type(KEY);
  await screen.shows("••••");
  await screen.press("enter");
}

describe.skipIf(!zotIsBuilt)("API keys", () => {
  test("a key is typed unseen, tried, and saved for its owner alone", async () => {
    await using server = await startModelServer([{ text: "hi" }]);
    await using screen = await openScreen(served(server));
    await login(screen);
    await screen.shows("The key for openai is saved");
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    const path = join(screen.zotHome, "auth.json");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ openai: { api_key: KEY } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(screen.output).not.toContain(KEY);
  });

  test("a key that the service refuses is not saved", async () => {
    await using server = await startModelServer([{ status: 401, error: { message: "bad key" } }]);
    await using screen = await openScreen(served(server));
    await login(screen);
    await screen.shows("does not take this key");
    expect(await Bun.file(join(screen.zotHome, "auth.json")).exists()).toBe(false);
    expect(screen.output).not.toContain(KEY);
  });

  test("a saved key is used by the next run, and what else is in the file stays", async () => {
    await using screen = await openScreen(["--no-ext"]);
    const path = join(screen.zotHome, "auth.json");
    await writeFile(path, JSON.stringify({ openai: { api_key: KEY, oauth: { x: 1 } }, other: [1] }));
    await screen.enter("/model openai/gpt-5");
    await screen.shows("Talking to openai/gpt-5");
    await screen.enter("/logout openai");
    await screen.shows("forgotten");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ openai: { oauth: { x: 1 } }, other: [1] });
  });

  test("a file that cannot be read is left as it is", async () => {
    await using screen = await openScreen(offline());
    const path = join(screen.zotHome, "auth.json");
    await writeFile(path, "{ not json");
    await screen.enter("/login openai");
    await screen.shows("API key for openai");
    screen.type(KEY);
    await screen.press("enter");
    // Where the line is cut depends on how long the path is.
    await screen.shows(/put it right\s+or\s+remove it/);
    expect(await readFile(path, "utf8")).toBe("{ not json");
  });
});
