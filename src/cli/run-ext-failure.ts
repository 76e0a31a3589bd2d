// Loaded when something has failed and not at every start (see run-ext.ts); and in one breath, since a process that
// has lost its footing may not get to a next tick.
const builtin = process.getBuiltinModule;

/** Tells on stderr, the extension's log, why the extension `file` ended, and what to do about it where we know. */
export function printFailure(error: unknown, file: string): void {
  if (!exists(file)) {
    console.error(`zot: extension file not found: ${file}`);
    return;
  }
  // Shows the stack, or the place of a syntax error, at the lines of the source.
  console.error(error);
  const next = nextStep(error, file);
  if (next !== undefined) console.error(next);
}

function nextStep(error: unknown, file: string): string | undefined {
  const specifier = missingModule(error);
  if (specifier === undefined) return undefined;
  if (/^(\.{0,2}\/|file:)/.test(specifier))
    return `next: there is no such file; check the path ${JSON.stringify(specifier)}`;
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
  if (typeof error !== "object" || error === null) return undefined;
  if (!("code" in error) || (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND"))
    return undefined;
  if (
    !("specifier" in error) ||
    typeof error.specifier !== "string" ||
    builtin("node:module").isBuiltin(error.specifier)
  )
    return undefined;
  return error.specifier;
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
