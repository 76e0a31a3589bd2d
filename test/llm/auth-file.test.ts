import { expect, test } from "bun:test";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AuthFile } from "../../src/llm/accounts/auth-file.ts";
import { Models } from "../../src/llm/accounts/models.ts";
import { tempDir } from "../support/temp-dir.ts";

test("keys that are saved and removed at the same time all take effect", async () => {
  await using dir = await tempDir("zot-auth-");
  const auth = new AuthFile(dir.path);
  await auth.save("deepseek", "old");
  await Promise.all([auth.save("anthropic", "one"), auth.save("groq", "two"), auth.remove("deepseek")]);
  expect(["anthropic", "groq", "deepseek"].map((provider) => auth.key(provider))).toEqual(["one", "two", undefined]);
  expect(await readdir(dir.path)).toEqual(["auth.json"]);
  if (process.platform !== "win32") expect((await stat(auth.path)).mode & 0o777).toBe(0o600);
});

test("a change that fails does not keep the next from being made", async () => {
  await using dir = await tempDir("zot-auth-");
  const auth = new AuthFile(dir.path);
  await Bun.write(auth.path, "[]");
  const refused = auth.save("anthropic", "one");
  expect(refused).rejects.toThrow("put it right or remove it");
  await refused.catch(() => Bun.file(auth.path).delete());
  await auth.save("anthropic", "two");
  expect(auth.key("anthropic")).toBe("two");
});

test.each(['{"anthropic": {"api_key": sk_ant_secret}}', "{'api_key': 'sk_ant_secret'}", "sk_ant_secret"])(
  "%s is called no JSON without a word of what is in it",
  async (text) => {
    await using dir = await tempDir("zot-auth-");
    const auth = new AuthFile(dir.path);
    await Bun.write(auth.path, text);
    await chmod(auth.path, 0o600);
    expect(auth.fault).toBe(`${join(dir.path, "auth.json")}: not a JSON object`);
  },
);

test("whoever has no other key is told that the saved ones cannot be read", async () => {
  await using dir = await tempDir("zot-auth-");
  const auth = new AuthFile(dir.path);
  await Bun.write(auth.path, '{"anthropic": {"api_key": "x"},}');
  const models = new Models({ choice: { userAgent: "test", env: {} }, auth });
  expect(models.first()).rejects.toThrow(`saved keys cannot be read: ${auth.path}`);
});
