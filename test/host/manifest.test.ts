import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HostError } from "../../src/host/error.ts";
import { extensionNameFault, type Manifest, readManifest } from "../../src/host/launch/manifest.ts";
import { tempDir } from "../support/temp-dir.ts";

async function manifestOf(text: string | undefined, theme?: string): Promise<Manifest | string> {
  await using dir = await tempDir();
  if (text !== undefined) await writeFile(join(dir.path, "extension.json"), text);
  if (theme !== undefined) {
    await mkdir(join(dir.path, theme, ".."), { recursive: true });
    await writeFile(join(dir.path, theme), "{}");
  }
  try {
    return readManifest(dir.path);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    expect(error.code).toBe("manifest");
    return error.message.replace(dir.path, "DIR");
  }
}

describe("a manifest that is refused says why", () => {
  const faults: Record<string, string> = {
    "{": "parse manifest: ",
    "": "parse manifest: ",
    "[]": "parse manifest: not a JSON object",
    '"x"': "parse manifest: not a JSON object",
    null: "manifest: name is required",
    "{}": "manifest: name is required",
    '{"name":""}': "manifest: name is required",
    '{"name":"a"}': "manifest: exec, theme, or skills is required",
    '{"name":"a","exec":""}': "manifest: exec, theme, or skills is required",
    '{"name":5}': "parse manifest: name: ",
    '{"name":"a","exec":["x"]}': "parse manifest: exec: ",
    '{"name":"a","exec":"x","args":"y"}': "parse manifest: args: ",
    '{"name":"a","exec":"x","skills":"y"}': "parse manifest: skills: ",
    '{"name":"a","exec":"x","enabled":"false"}': "parse manifest: enabled: ",
    '{"name":"a","exec":"x","runtime":"java"}': "parse manifest: runtime: ",
    '{"name":"../evil","exec":"x"}': 'manifest: invalid name "../evil": starts with a dot',
    '{"name":"a/b","exec":"x"}': 'manifest: invalid name "a/b": contains a path separator',
    '{"name":" a","exec":"x"}': 'manifest: invalid name " a": blank at its start or end',
  };
  for (const [text, fault] of Object.entries(faults)) {
    test(`${text || "an empty file"} → ${fault}`, async () => {
      const result = await manifestOf(text);
      expect(result).toBeString();
      expect(String(result)).toStartWith(fault);
    });
  }

  test("none at all", async () => {
    expect(await manifestOf(undefined)).toBe("read manifest: DIR/extension.json: no such file or directory");
  });

  test("one that is no manifest but a large file", async () => {
    expect(await manifestOf(" ".repeat(1024 * 1024 + 1))).toBe(
      "read manifest: DIR/extension.json: larger than 1048576 bytes",
    );
  });
});

test("a named pipe in the place of a manifest is refused, and waited for by nobody", async () => {
  await using dir = await tempDir();
  Bun.spawnSync(["mkfifo", join(dir.path, "extension.json")]);
  const script = `
    import { readManifest } from ${JSON.stringify(join(import.meta.dir, "../../src/host/launch/manifest.ts"))};
    readManifest(${JSON.stringify(dir.path)});
  `;
  // In a process of its own: one that waits for such a pipe cannot even run the deadline of a test.
  const { exitedDueToTimeout, stderr } = Bun.spawnSync([process.execPath, "-e", script], {
    timeout: 5_000,
    killSignal: "SIGKILL",
  });
  expect(exitedDueToTimeout).toBeFalsy();
  expect(stderr.toString()).toContain(`read manifest: ${join(dir.path, "extension.json")}: not a regular file`);
});

describe("a manifest is accepted", () => {
  test("with defaults, null as absent, unknown keys and a byte order mark", async () => {
    expect(await manifestOf('\uFEFF{"name":"a","exec":"x","args":null,"enabled":null,"later":{"x":1}}')).toEqual({
      name: "a",
      version: "",
      exec: "x",
      args: [],
      language: "",
      description: "",
      enabled: true,
      skills: [],
      runtime: "zot",
      hasTheme: false,
    });
  });

  test("with keys in another case, unless the exact one is there", async () => {
    expect(await manifestOf('{"NAME":"a","Exec":"x","Enabled":false}')).toMatchObject({
      name: "a",
      exec: "x",
      enabled: false,
    });
    expect(await manifestOf('{"name":"a","NAME":"b","exec":"x"}')).toMatchObject({ name: "a" });
  });

  test("without exec when it brings skills or a theme", async () => {
    expect(await manifestOf('{"name":"a","skills":["s"]}')).toMatchObject({ skills: ["s"], exec: "" });
    expect(await manifestOf('{"name":"a"}', "theme.json")).toMatchObject({ hasTheme: true });
    expect(await manifestOf('{"name":"a"}', "themes/theme.json")).toMatchObject({ hasTheme: true });
  });
});

test("names that could become another file or a broken line are refused", () => {
  expect(["weather", "mcp-bridge", "Ünïcode", "a.b", "with blank"].map(extensionNameFault)).toEqual(
    Array(5).fill(undefined),
  );
  for (const name of ["..", ".hidden", "a\\b", "a\nb", "a\u001b[2J", "a\u0085", "x".repeat(65), "é".repeat(33), "b "]) {
    expect(extensionNameFault(name)).toBeString();
  }
});
