import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runZot } from "../support/zot.ts";

test("a print run finds the key that was saved on the screen", async () => {
  await using dir = await tempDir("zot-key-");
  // Nobody listens there: what matters is that a request is tried at all.
  const nowhere = { home: dir.path, env: { HTTPS_PROXY: "http://127.0.0.1:1" } };
  const ask = ["-p", "--provider", "anthropic", "hi"];
  expect((await runZot(ask, nowhere)).stderr).toContain("no API key");
  mkdirSync(join(dir.path, "zot"), { recursive: true });
  writeFileSync(join(dir.path, "zot", "auth.json"), JSON.stringify({ anthropic: { api_key: "saved-key" } }));
  const { stderr, code } = await runZot(ask, nowhere);
  expect(stderr).not.toContain("no API key");
  expect(stderr).toContain("no connection");
  expect(stderr).not.toContain("saved-key");
  expect(code).toBe(1);
});

test("the flag wins over the environment", async () => {
  await using server = await startModelServer([{ text: "one" }, { text: "two" }]);
  const ask = ["-p", "--provider", "anthropic", "--base-url", server.url("anthropic"), "--model", "m", "hi"];
  const env = { ANTHROPIC_API_KEY: "env-key" };
  expect((await runZot(ask, { env })).stdout).toBe("one\n");
  expect((await runZot([...ask, "--api-key", "flag-key"], { env })).stdout).toBe("two\n");
  expect(server.requests.map((request) => request.headers["x-api-key"])).toEqual(["env-key", "flag-key"]);
});
