// Node's modules are loaded when something has failed and not at every start (see run-ext.ts); and without waiting, since
// a process that has lost its footing may not get to a next tick.
const builtin = process.getBuiltinModule;

/** Tells on stderr, the extension's log, why the extension `file` ended, and what to do about it where we know. */
export function printFailure(error: unknown, file: string): void {
  const missing = missingModule(error);
  if (missing !== undefined && !exists(file)) {
    console.error(`zot: extension file not found: ${file}`);
    return;
  }
  // Shows the stack, or the place of a syntax error, at the lines of the source.
  console.error(error);
  const next = missing === undefined ? undefined : nextStep(missing, file);
  if (next !== undefined) console.error(next);
}

/** What to do about `specifier`, for which the extension `file` or one of its modules asked in vain. */
function nextStep(specifier: string, file: string): string | undefined {
  // Bun takes the question mark for the start of a query, however it is written.
  if (file.includes("?")) return "next: rename the folder; a path with a question mark in it cannot be imported";
  // The "imports" of a package.json: the error itself says all there is to say.
  if (specifier.startsWith("#")) return undefined;
  if (/^(\.|file:)/.test(specifier) || builtin("node:path").isAbsolute(specifier)) {
    return `next: there is no such file; check the path ${JSON.stringify(specifier)}`;
  }
  const name = packageName(specifier);
  if (ancestors(file).some((folder) => exists(`${folder}/node_modules/${name}`))) {
    return `next: ${name} is installed, but its package.json exports no ${JSON.stringify(specifier)}`;
  }
  return `next: in ${extensionFolder(file)}, run \`bun add ${name}\` or \`npm install ${name}\`; zot installs nothing by itself`;
}

/** The specifier that nothing was found for. Several faults of one file come as an AggregateError. */
function missingModule(error: unknown): string | undefined {
  const candidates: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return candidates.map(unresolved).find((specifier) => specifier !== undefined);
}

function unresolved(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error && "specifier" in error)) return undefined;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return undefined;
  return typeof error.specifier === "string" ? error.specifier : undefined;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The nearest folder upward that is a package or an extension: where node_modules belongs. */
function extensionFolder(file: string): string {
  const marked = (folder: string): boolean =>
    ["package.json", "extension.json"].some((name) => exists(`${folder}/${name}`));
  return ancestors(file).find(marked) ?? builtin("node:path").dirname(file);
}

/** The folders above `file`, the nearest first. */
function ancestors(file: string): readonly string[] {
  const parent = builtin("node:path").dirname(file);
  return parent === file ? [] : [parent, ...ancestors(parent)];
}

function exists(path: string): boolean {
  return builtin("node:fs").existsSync(path);
}
