import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "./command.ts";
import { dist, root } from "./project.ts";

const DEADLINE_MS = 2 * 60_000;
const published = join(dist, "ext");

/** What `import "zot/ext"` gives in a plain Bun or Node project (package.json `exports`). */
export const sdkEntry = join(published, "index.js");

/**
 * Builds `dist/ext`: the SDK as one JavaScript file, and its type declarations. Made inside `workshop`, an empty
 * folder below the project, and moved into place when complete. Throws `BuildError`.
 */
export async function buildSdk(workshop: string): Promise<void> {
  const made = join(workshop, "ext");
  mkdirSync(made);
  await Promise.all([bundle(made), declare(workshop, join(made, "types"))]);
  // The declarations keep the shape of src/, since the SDK's may refer to those of wire/. TypeScript finds them by the
  // name that the JavaScript would have.
  writeFileSync(join(made, "index.d.ts"), 'export * from "./types/sdk/index.js";\n');
  rmSync(published, { recursive: true, force: true });
  renameSync(made, published);
}

async function bundle(folder: string): Promise<void> {
  const argv = ["build", "src/sdk/index.ts", "--target=node", "--format=esm", `--outfile=${join(folder, "index.js")}`];
  await commandOrThrow([process.execPath, ...argv], { cwd: root, deadlineMs: DEADLINE_MS });
}

async function declare(workshop: string, folder: string): Promise<void> {
  const project = join(workshop, "declarations.json");
  const settings = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, "src"),
      outDir: folder,
    },
    include: [],
    files: [join(root, "src", "sdk", "index.ts")],
  };
  writeFileSync(project, JSON.stringify(settings));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  await commandOrThrow([process.execPath, compiler, "-p", project], { cwd: root, deadlineMs: DEADLINE_MS });
}
