import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";

const DEADLINE_MS = 60_000;

/** Writes an extension of one tool, `echo_NAME`, in TypeScript with the SDK. Gives the path of its source file. */
export function writeExtension(folder: string, name: string): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "extension.json"), JSON.stringify({ name, version: "1.0.0", exec: "./index.ts" }));
  const source = join(home, "index.ts");
  writeFileSync(
    source,
    `import { extension } from "zot/ext";

const ext = extension({ name: ${JSON.stringify(name)}, version: "1.0.0" });
const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
ext.tool("echo_${name}", { description: "Gives back what it is given.", parameters }, ({ text }) => text);
ext.run();
`,
  );
  return source;
}

/** The same extension and the SDK as one file that Bun runs without resolving anything: the baseline. */
export async function bundleExtension(folder: string, source: string): Promise<string> {
  const bundled = join(folder, "bundled", "index.ts");
  const project = join(folder, "tsconfig.json");
  const paths = { "zot/ext": [join(root, "src", "sdk", "index.ts")] };
  writeFileSync(project, JSON.stringify({ compilerOptions: { paths } }));
  const argv = [process.execPath, "build", source, "--target=bun", `--outfile=${bundled}`];
  await commandOrThrow(argv, { cwd: folder, deadlineMs: DEADLINE_MS });
  return bundled;
}
