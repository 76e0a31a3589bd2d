import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How a child of the host takes being left. */
export const KINDS = [
  /** Reads its stdin and ends with it. */
  "watching",
  /** Never reads; timers keep it alive. */
  "deaf",
  /** Ends with its stdin, but has started programs of its own that do not. */
  "family",
  /** Never reads, and ignores the signals that ask it to end. */
  "stubborn",
] as const;

export const LANGUAGES = ["sh", "python", "typescript"] as const;

export type Kind = (typeof KINDS)[number];
export type Language = (typeof LANGUAGES)[number];

/** Each says hello and ready, and writes a file `up` into its folder when it is as its kind says. */
const PROGRAMS: Readonly<Record<Language, Readonly<Record<Kind, string>>>> = {
  sh: {
    watching: `: > up; while IFS= read -r line; do :; done`,
    deaf: `: > up; while :; do sleep 0.2; done`,
    family: `sleep 900 & sleep 900 < /dev/null > /dev/null 2>&1 & : > up; while IFS= read -r line; do :; done`,
    stubborn: `trap '' TERM HUP INT; : > up; while :; do sleep 0.2; done`,
  },
  python: {
    watching: `up()
for line in sys.stdin: pass`,
    deaf: `up()
while True: time.sleep(0.2)`,
    family: `subprocess.Popen(["sleep", "900"])
subprocess.Popen(["sleep", "900"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
up()
for line in sys.stdin: pass`,
    stubborn: `for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
up()
while True: time.sleep(0.2)`,
  },
  typescript: {
    watching: `up(); for await (const chunk of process.stdin) void chunk;`,
    deaf: `setInterval(() => {}, 200); up();`,
    family: `Bun.spawn(["sleep", "900"], { stdio: ["inherit", "inherit", "inherit"] });
Bun.spawn(["sleep", "900"], { stdio: ["ignore", "ignore", "ignore"] });
up(); for await (const chunk of process.stdin) void chunk;`,
    stubborn: `for (const name of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(name, () => {});
setInterval(() => {}, 200); up();`,
  },
};

/** Writes one extension of each kind in each language below `root`; gives their folders. */
export async function writeFamilies(root: string): Promise<string[]> {
  return Promise.all(KINDS.flatMap((kind) => LANGUAGES.map((language) => writeExtension(root, kind, language))));
}

async function writeExtension(root: string, kind: Kind, language: Language): Promise<string> {
  const name = `${kind}-${language}`;
  const dir = join(root, name);
  await mkdir(dir, { recursive: true });
  const { file, exec, args, text } = programOf(name, PROGRAMS[language][kind], language);
  await writeFile(join(dir, file), text);
  await chmod(join(dir, file), 0o755);
  await writeFile(join(dir, "extension.json"), JSON.stringify({ name, exec, args }));
  return dir;
}

interface Program {
  readonly file: string;
  readonly exec: string;
  readonly args: readonly string[];
  readonly text: string;
}

function programOf(name: string, body: string, language: Language): Program {
  const hello = JSON.stringify({ type: "hello", name, version: "1" });
  const ready = JSON.stringify({ type: "ready" });
  switch (language) {
    case "sh":
      return {
        file: "run",
        exec: "./run",
        args: [],
        text: `#!/bin/sh\nprintf '%s\\n' '${hello}' '${ready}'\n${body}\n`,
      };
    case "python":
      return {
        file: "run.py",
        exec: "python3",
        args: ["run.py"],
        text: `import signal, subprocess, sys, time
def up():
    open("up", "w").close()
print('${hello}', '${ready}', sep="\\n", flush=True)
${body}
`,
      };
    case "typescript":
      return {
        file: "run.ts",
        exec: "./run.ts",
        args: [],
        text: `import { writeFileSync } from "node:fs";
const up = (): void => writeFileSync("up", "");
console.log('${hello}');
console.log('${ready}');
${body}
`,
      };
  }
}
