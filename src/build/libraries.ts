import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "./command.ts";
import { dist, root } from "./project.ts";

const DEADLINE_MS = 2 * 60_000;

/** What `import "zot/<name>"` gives in a plain Bun or Node project (package.json `exports`), and its folder in src/. */
const LIBRARIES = [
  { name: "ext", source: "sdk" },
  { name: "client", source: "client" },
] as const;

type Library = (typeof LIBRARIES)[number];

export function haveLibraries(): boolean {
  return LIBRARIES.every(({ name }) => existsSync(join(dist, name, "index.js")));
}

/**
 * Builds `dist/ext` and `dist/client`: each library as one JavaScript file, and its type declarations. Made inside
 * `workshop`, an empty folder below the project, and moved into place when complete. Throws `BuildError`.
 */
export async function buildLibraries(workshop: string): Promise<void> {
  await Promise.all(LIBRARIES.map((library) => build(library, workshop)));
}

async function build(library: Library, workshop: string): Promise<void> {
  const made = join(workshop, library.name);
  mkdirSync(made);
  await Promise.all([bundle(library, made), declare(library, workshop, join(made, "types"))]);
  // The declarations keep the shape of src/, since the SDK's may refer to those of wire/. TypeScript finds them by the
  // name that the JavaScript would have.
  writeFileSync(join(made, "index.d.ts"), `export * from "./types/${library.source}/index.js";\n`);
  const published = join(dist, library.name);
  rmSync(published, { recursive: true, force: true });
  renameSync(made, published);
}

async function bundle({ source }: Library, folder: string): Promise<void> {
  const entry = `src/${source}/index.ts`;
  const argv = ["build", entry, "--target=node", "--format=esm", `--outfile=${join(folder, "index.js")}`];
  await commandOrThrow([process.execPath, ...argv], { cwd: root, deadlineMs: DEADLINE_MS });
}

async function declare({ name, source }: Library, workshop: string, folder: string): Promise<void> {
  const project = join(workshop, `declarations-${name}.json`);
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
    files: [join(root, "src", source, "index.ts")],
  };
  writeFileSync(project, JSON.stringify(settings));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  await commandOrThrow([process.execPath, compiler, "-p", project], { cwd: root, deadlineMs: DEADLINE_MS });
}
