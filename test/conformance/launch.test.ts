import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";
import { runZot, zotIsBuilt } from "../support/zot.ts";

// extension-host.md §10, Manifest and discovery: how the program of an extension is started.

setDefaultTimeout(30_000);

/** A shell script that leaves what `reports` prints in a file of its directory, and speaks the protocol. */
function reporting(name: string, reports: string): string {
  return `#!/bin/sh\n{ ${reports}; } > report\nprintf '{"type":"hello","name":"${name}"}\\n{"type":"ready"}\\n'\nwhile read -r line; do :; done\n`;
}

function program(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** What the program of the extension in `dir` printed into its report. */
function report(dir: string): string[] {
  return readFileSync(join(dir, "report"), "utf8").trimEnd().split("\n");
}

/** An extension in TypeScript that shows its first frame from the host, its directory and its homes as a note. */
const TELLS = `
console.log(JSON.stringify({ type: "hello", name: "a" }));
for await (const line of console) {
  const { ZOT_HOME, ZUT_HOME, PWD } = process.env;
  const told = { frame: JSON.parse(line), cwd: process.cwd(), PWD, ZOT_HOME, ZUT_HOME };
  console.log(JSON.stringify({ type: "notify", level: "info", message: JSON.stringify(told) }));
  console.log('{"type":"ready"}');
  break;
}
`;

/** Writes that extension; gives its directory. */
function teller(world: HostWorld): string {
  return world.files("a", { "main.ts": TELLS, "extension.json": { name: "a", exec: "./main.ts" } });
}

/** The one JSON object in a text. */
function objectIn(text: string): Readonly<Record<string, unknown>> {
  const object: Readonly<Record<string, unknown>> = JSON.parse(
    text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1),
  );
  return object;
}

describe("the program of an extension", () => {
  test("016 that is a bare word is searched in PATH, and a file of that name in the extension's directory is not used", async () => {
    const env: Record<string, string> = {};
    await using world = await HostWorld.create({ host: { env } });
    const bin = join(world.cwd, "bin");
    const dir = world.files("a", { "extension.json": { name: "a", exec: "node", args: ["main.mjs", "two words"] } });
    // All but the last two lead to the extension's own directory, from here or from where the child runs.
    env["PATH"] = [relative(process.cwd(), dir), "", ".", bin, process.env["PATH"]].join(":");
    program(join(dir, "node"), reporting("a", "echo own"));
    program(join(bin, "node"), reporting("a", 'echo "$0"; for word in "$@"; do echo "$word"; done'));
    await world.start();
    expect(world.loadErrors).toEqual([]);
    expect(report(dir)).toEqual([join(bin, "node"), "main.mjs", "two words"]);
  });

  test.skipIf(!zotIsBuilt)(
    "017 that is a path is taken from the extension's directory, wherever zot itself was started",
    async () => {
      await using world = await HostWorld.create();
      const tells = (name: string): string => reporting(name, 'echo "$0"');
      const dirs = Object.entries({ a: "bin/run", b: "./run" }).map(([name, exec]) => {
        const dir = world.files(name, { "extension.json": { name, exec } });
        program(join(dir, exec), tells(name));
        program(join(world.cwd, exec), "#!/bin/sh\nexit 9\n");
        return [dir, exec] as const;
      });
      for (const cwd of [world.cwd, world.home]) {
        const { stdout } = await runZot(["ext", "doctor"], { cwd, env: { ZOT_HOME: world.home } });
        expect(stdout).not.toContain("load errors:");
        for (const [dir, exec] of dirs) {
          expect(report(dir)).toEqual([join(dir, exec)]);
          writeFileSync(join(dir, "report"), "");
        }
      }
    },
  );

  test("018 that is missing or cannot be executed is a spawn error with the path of the log, and what to do", async () => {
    await using world = await HostWorld.create();
    const plain = { "run.sh": "#!/bin/sh\n" };
    const execs: Record<string, string> = {
      gone: "./gone",
      bare: "no-such-program",
      plain: "./run.sh",
      folder: "./sub",
    };
    const dirs = Object.entries(execs).map(([name, exec]) => {
      return world.files(name, { ...plain, "sub/x": "", "extension.json": { name, exec } });
    });
    await world.start();
    const reasons = Object.fromEntries(
      Object.keys(execs).map((name, index) => {
        const log = join(world.home, "logs", `ext-${name}.log`);
        const [start, reason] = (world.loadErrors.find((text) => text.includes(log)) ?? "").split(`${log}): `);
        expect(start).toBe(`${dirs[index]}: spawn (stderr log: `);
        expect(world.log(name)).toContain(`[zot] spawn (stderr log: ${log}): ${reason}\n`);
        return [name, reason];
      }),
    );
    const at = (name: string): string => join(world.home, "extensions", name);
    expect(reasons).toEqual({
      gone: `${at("gone")}/gone: no such file or directory`,
      bare: "no-such-program: executable file not found in PATH",
      plain: `${at("plain")}/run.sh: permission denied (try: chmod +x "${at("plain")}/run.sh")`,
      folder: `${at("folder")}/sub: is a directory, not a program`,
    });
  });

  test("019 runs in the extension's directory, and hello_ack.cwd is the project's", async () => {
    await using world = await HostWorld.create();
    const dir = teller(world);
    await world.start();
    const note = await world.surface.told("note");
    expect(objectIn(note.note.message)).toMatchObject({
      frame: { type: "hello_ack", cwd: world.cwd },
      cwd: dir,
      PWD: dir,
    });
  });

  test.skipIf(!zotIsBuilt)("020 sees ZOT_HOME and ZUT_HOME set to the home that zot itself uses", async () => {
    await using world = await HostWorld.create();
    teller(world);
    await world.start();
    const note = await world.surface.told("note");
    expect(objectIn(note.note.message)).toMatchObject({ ZOT_HOME: world.home, ZUT_HOME: world.home });

    // The user's own words may be relative to another directory than the child's, or empty.
    const homes = async (env: Readonly<Record<string, string>>) => {
      const { stderr } = await runZot(["-p", "--provider", "offline", "say x"], { cwd: dirname(world.home), env });
      const { ZOT_HOME, ZUT_HOME } = objectIn(stderr);
      return [ZOT_HOME, ZUT_HOME];
    };
    expect(await homes({ ZOT_HOME: "home", ZUT_HOME: "" })).toEqual([world.home, world.home]);
    expect(await homes({ ZOT_HOME: world.home, ZUT_HOME: "/elsewhere" })).toEqual([world.home, "/elsewhere"]);
  });

  test("021 writes its stderr into its log, byte for byte, behind a line that says what was started when", async () => {
    await using world = await HostWorld.create();
    world.shell(
      "noisy",
      `
      printf 'one\\r\\033[31mtwo\\377\\000' >&2
      printf '{"type":"hello","name":"noisy"}\\n{"type":"ready"}\\n'
      printf '{"type":"an answer"}' >&2
      while read -r line; do :; done
      `,
      { version: "4.5.6" },
    );
    await world.start();
    const path = join(world.home, "logs", "ext-noisy.log");
    const written = Buffer.concat([
      Buffer.from("one\r\u001b[31mtwo"),
      Buffer.from([0xff, 0]),
      Buffer.from('{"type":"an answer"}'),
    ]);
    const bytes = await until("the log to be whole", () => {
      const read = readFileSync(path);
      return read.includes(written) ? read : undefined;
    });
    const banner = bytes.subarray(0, bytes.indexOf(written)).toString();
    expect(banner).toMatch(/^\n\[zot\] starting noisy\/4\.5\.6 at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\n$/);
    expect(world.diagnostics("noisy")).toEqual([]);
  });
});
