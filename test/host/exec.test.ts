import { describe, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { explainSpawnError, resolveExec, searchPath } from "../../src/host/launch/exec.ts";
import { tempDir } from "../support/temp-dir.ts";

const RUNNER = ["zot", "__run-ext"] as const;

/** How an exec starts in `dir`, with a PATH that holds `programs` only. */
async function launchOf(
  manifest: { readonly exec: string; readonly args?: readonly string[]; readonly runtime?: "zot" | "system" },
  programs: readonly string[] = [],
) {
  await using root = await tempDir();
  const [dir, bin] = [join(root.path, "ext"), join(root.path, "bin")];
  await mkdir(dir);
  await mkdir(bin);
  for (const program of programs) {
    await writeFile(join(bin, program), "");
    await chmod(join(bin, program), 0o755);
  }
  // What the extension brings itself is no program of that name.
  for (const decoy of ["node", "python3"]) {
    await writeFile(join(dir, decoy), "");
    await chmod(join(dir, decoy), 0o755);
  }
  const path = [dir.replace(root.path, "."), "", bin].join(":");
  const launch = resolveExec({ args: [], runtime: "zot", ...manifest }, { dir, path, sourceRunner: RUNNER });
  return { ...launch, argv: launch.argv.map((arg) => arg.replace(root.path, "")) };
}

describe("an exec with a path is taken from the extension's directory", () => {
  const cases: Record<string, string> = {
    "./run": "/ext/run",
    "bin/run": "/ext/bin/run",
    "../run": "/run",
    ".": "/ext",
    "/usr/bin/env": "/usr/bin/env",
  };
  for (const [exec, file] of Object.entries(cases)) {
    test(exec, async () => {
      expect(await launchOf({ exec, args: ["-x"] })).toMatchObject({ argv: [file, "-x"], ownRuntime: false });
    });
  }
});

test("a bare name is searched in PATH only: not here, not in relative entries", async () => {
  expect((await launchOf({ exec: "node", args: ["a.mjs"] }, ["node"])).argv).toEqual(["/bin/node", "a.mjs"]);
  expect((await launchOf({ exec: "python3" })).argv).toEqual(["python3"]);
});

describe("a source file runs in our own executable", () => {
  for (const file of ["main.ts", "main.MTS", "main.jsx", "lib/x.cjs"]) {
    test(file, async () => {
      expect(await launchOf({ exec: `./${file}`, args: ["a"] })).toMatchObject({
        argv: ["zot", "__run-ext", `/ext/${file}`, "a"],
        ownRuntime: true,
      });
    });
  }

  test("unless the manifest wants the system's runtime", async () => {
    expect(await launchOf({ exec: "./main.ts", runtime: "system" })).toMatchObject({
      argv: ["/ext/main.ts"],
      ownRuntime: false,
    });
  });
});

describe("a runner that is not installed is stood in for", () => {
  const own = ["zot", "__run-ext", "/ext/index.ts"];
  const cases: [string, string[], string[]][] = [
    ["npx", ["-y", "tsx", "./index.ts", "a"], [...own, "a"]],
    ["npx", ["tsx", "index.ts"], own],
    ["tsx", ["index.ts"], own],
    ["bun", ["run", "index.ts"], own],
    ["bun", ["index.ts"], own],
    ["node", ["--no-warnings", "--experimental-strip-types", "index.ts"], own],
  ];
  for (const [exec, args, argv] of cases) {
    test(`${exec} ${args.join(" ")}`, async () => {
      const launch = await launchOf({ exec, args });
      expect(launch).toMatchObject({ argv, ownRuntime: true });
      expect(launch.note).toStartWith(`${exec} is not in PATH; running`);
    });
  }

  test("but not when it is, nor for what only it can do", async () => {
    expect((await launchOf({ exec: "npx", args: ["-y", "tsx", "index.ts"] }, ["npx"])).argv[0]).toBe("/bin/npx");
    for (const [exec, args] of [
      ["npx", ["cowsay"]],
      ["node", ["--inspect", "index.ts"]],
      ["bun", ["--watch", "index.ts"]],
      ["node", ["index.json"]],
      ["python3", ["index.ts"]],
    ] as const) {
      expect((await launchOf({ exec, args })).argv).toEqual([exec, ...args]);
    }
    expect((await launchOf({ exec: "tsx", args: ["index.ts"], runtime: "system" })).argv).toEqual(["tsx", "index.ts"]);
  });
});

test("what compiles or downloads first gets a minute for its hello", async () => {
  const deadline = async (exec: string) => (await launchOf({ exec }, [exec])).helloDeadlineMs;
  for (const slow of ["go", "npx", "uv", "cargo", "bunx"]) expect(await deadline(slow)).toBe(60_000);
  for (const quick of ["node", "python3", "gofmt"]) expect(await deadline(quick)).toBe(10_000);
});

test("on Windows a bare name is a program with a suffix, not the shell script that lies beside it", async () => {
  await using dir = await tempDir();
  for (const file of ["npx", "npx.CMD", "tool.exe"]) await writeFile(join(dir.path, file), "", { mode: 0o755 });
  const { platform } = process;
  const { PATHEXT } = process.env;
  try {
    Object.defineProperty(process, "platform", { value: "win32" });
    process.env["PATHEXT"] = ".EXE;.CMD";
    expect(searchPath("npx", dir.path)).toBe(join(dir.path, "npx.CMD"));
    expect(searchPath("tool.exe", dir.path)).toBe(join(dir.path, "tool.exe"));
  } finally {
    Object.defineProperty(process, "platform", { value: platform });
    if (PATHEXT === undefined) delete process.env["PATHEXT"];
    else process.env["PATHEXT"] = PATHEXT;
  }
});

test("a file that cannot be executed is no program", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "plain"), "", { mode: 0o644 });
  await mkdir(join(dir.path, "folder"));
  expect(searchPath("plain", dir.path)).toBeUndefined();
  expect(searchPath("folder", dir.path)).toBeUndefined();
  expect(searchPath("sh", undefined)).toBeUndefined();
});

describe("a spawn that fails is explained", () => {
  const systemError = (code: string): Error => Object.assign(new Error(`${code}: failed`), { code });

  test("with what to do", async () => {
    await using dir = await tempDir();
    const plain = join(dir.path, "plain");
    await writeFile(plain, "#!/no/such/interpreter\n", { mode: 0o644 });
    expect(explainSpawnError(plain, systemError("EACCES"))).toContain(`chmod +x "${plain}"`);
    expect(explainSpawnError(plain, systemError("ENOEXEC"))).toContain("#!/bin/sh");
    expect(explainSpawnError(plain, systemError("ENOENT"))).toContain(
      "its interpreter /no/such/interpreter does not exist",
    );
    expect(explainSpawnError(dir.path, systemError("EACCES"))).toContain("is a directory");
    expect(explainSpawnError("nope", systemError("ENOENT"))).toBe("nope: executable file not found in PATH");
    expect(explainSpawnError("/no/such/file", systemError("ENOENT"))).toBe("/no/such/file: no such file or directory");
  });
});
