import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { command } from "./command.ts";
import { BuildError } from "./error.ts";
import { binary, productVersion, root } from "./project.ts";
import { script } from "./script.ts";

const DEADLINE_MS = 60_000;
const NOTE = "the demo was here";

/** One run of zot, and what it must print for the demo to have worked. */
interface Scene {
  readonly about: string;
  readonly extensions: readonly string[];
  readonly prompt: readonly string[];
  readonly prints: readonly RegExp[];
}

const WITH_WEATHER: readonly Scene[] = [
  {
    about: "One prompt, three tool calls, two extensions: scratchpad is TypeScript from source, weather is Python.",
    extensions: ["scratchpad", "weather"],
    prompt: [
      `call scratchpad {"action":"append","text":"${NOTE}"}`,
      'call weather {"city":"Berlin"}',
      'call scratchpad {"action":"read"}',
    ],
    prints: [/Berlin: -?\d+ °C/, new RegExp(NOTE)],
  },
];

const WITHOUT_PYTHON: readonly Scene[] = [
  {
    about: "One prompt, two tool calls of the extension scratchpad, which is TypeScript from source.",
    extensions: ["scratchpad"],
    prompt: [`call scratchpad {"action":"append","text":"${NOTE}"}`, 'call scratchpad {"action":"read"}'],
    prints: [new RegExp(NOTE)],
  },
  {
    about: "The slash command of another extension, clock, which is plain JavaScript.",
    extensions: ["clock"],
    prompt: ["/clock Asia/Tokyo"],
    prints: [/\d\d:\d\d:\d\d/],
  },
];

script(async () => {
  const stage = mkdtempSync(join(tmpdir(), "zot-demo-"));
  try {
    const project = join(stage, "project");
    mkdirSync(project);
    console.log(
      `This is zot ${productVersion()}, the one file ${relative(root, binary)}. Everything below is offline:`,
    );
    console.log("the rehearsal model (--provider offline) does what the lines of the prompt say, and nothing else.");
    for (const scene of await scenes()) await play(scene, stage, project);
    checkNote(project);
    console.log("\nThe demo worked. README.md shows what to try next.");
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});

async function scenes(): Promise<readonly Scene[]> {
  if (await pythonWorks()) return WITH_WEATHER;
  console.log("There is no working python3 here, so the Python extension is left out.");
  return WITHOUT_PYTHON;
}

/** Asks it to do something: macOS has a `python3` that only offers to install one. */
async function pythonWorks(): Promise<boolean> {
  const python = Bun.which("python3");
  if (python === null) return false;
  return (await command([python, "-c", ""], { cwd: root, deadlineMs: DEADLINE_MS })).code === 0;
}

async function play(scene: Scene, stage: string, project: string): Promise<void> {
  const extensions = scene.extensions.flatMap((name) => ["--ext", join(root, "extensions", name)]);
  const argv = [binary, "-p", "--provider", "offline", "--no-ext", ...extensions, scene.prompt.join("\n")];
  console.log(`\n${scene.about}\n\n$ ${argv.map(quoted).join(" ")}\n`);
  // A home of its own: the demo neither reads nor leaves anything of the user's.
  const env = { ...process.env, ZOT_HOME: join(stage, "home") };
  const { code, stdout, stderr } = await command(argv, { cwd: project, deadlineMs: DEADLINE_MS, env });
  process.stdout.write(stdout);
  if (stderr !== "") console.error(stderr);
  if (code !== 0) throw new BuildError(`zot ended with exit code ${code}`);
  const missing = scene.prints.find((pattern) => !pattern.test(stdout));
  if (missing !== undefined) throw new BuildError(`zot printed nothing like ${missing}`);
}

/** The tool has really run: its note is in the project. */
function checkNote(project: string): void {
  const file = join(project, ".zot", "scratchpad.md");
  if (!readFileSync(file, "utf8").includes(NOTE)) throw new BuildError(`${file} does not hold the note`);
}

/** An argument as a person would type it into a shell. */
function quoted(argument: string): string {
  return /^[\w./:@=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
