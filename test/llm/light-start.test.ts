import { expect, test } from "bun:test";
import { join } from "node:path";

const entry = join(import.meta.dir, "../../src/llm/open.ts");

/** The sources that end up in the files which are loaded at once with `open.ts`, as the shipped build splits them. */
async function loadedAtOnce(): Promise<{ readonly bytes: number; readonly code: string }> {
  const { outputs, success } = await Bun.build({ entrypoints: [entry], splitting: true, minify: true, target: "bun" });
  expect(success).toBe(true);
  const byName = new Map(
    await Promise.all(outputs.map(async (file) => [file.path.replace(/^.*\//, ""), await file.text()] as const)),
  );
  const first = outputs.find((file) => file.kind === "entry-point")?.path.replace(/^.*\//, "") ?? "";
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const code = byName.get(name);
    if (code === undefined || seen.has(name)) return;
    seen.add(name);
    for (const [, imported = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) visit(imported);
  };
  visit(first);
  const code = [...seen].map((name) => byName.get(name)).join("\n");
  return { bytes: code.length, code };
}

test("opening a model loads no model library until a provider is chosen", async () => {
  const { bytes, code } = await loadedAtOnce();
  // The names and the choice are about 8 KB; the smallest provider with its client is several hundred.
  expect(bytes).toBeLessThan(24 * 1024);
  expect(code).toContain("anthropic");
  expect(code).not.toContain("api.openai.com");
  expect(code).not.toContain("x-stainless");
}, 60_000);

test.each([
  ["offline", []],
  ["openai", ["openai"]],
  ["anthropic", ["@anthropic-ai/sdk"]],
] as const)(
  "a run with %s loads the client libraries %j and no others",
  async (provider, expected) => {
    const script = `
    const { openModel } = await import(${JSON.stringify(entry)});
    const choice = { provider: ${JSON.stringify(provider)}, userAgent: "x", env: {}, apiKey: "sk-test-key" };
    const address = ${JSON.stringify(provider)} === "offline" ? {} : { baseUrl: "http://127.0.0.1:9/v1" };
    const model = await openModel({ ...choice, ...address });
    const request = { systemPrompt: "", messages: [{ role: "user", content: [], time: 1 }], tools: [] };
    // Nobody listens there: the attempt is what loads the client.
    try { for await (const _ of model.stream(request, new AbortController().signal)); } catch {}
    const names = Object.keys(require.cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)].filter((name) => name !== undefined)));
  `;
    const child = Bun.spawn({ cmd: [process.execPath, "-e", script], stdout: "pipe", stderr: "pipe" });
    const loaded: unknown = JSON.parse(await new Response(child.stdout).text());
    const clients = ["openai", "@anthropic-ai/sdk", "@google/genai", "@aws-sdk/client-bedrock-runtime"];
    const names = Array.isArray(loaded) ? loaded : [];
    expect(clients.filter((name) => names.includes(name))).toEqual([...expected]);
    if (provider === "offline") expect(names).toEqual([]);
  },
  20_000,
);
