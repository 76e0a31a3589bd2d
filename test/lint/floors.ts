import type { Import, ImportKind } from "./import-graph.ts";

/**
 * The floors of src/ and what each may import besides itself: arrows only go down. `sdk/` stands apart and is carried
 * by the binary, so the command line may hand it on; `build/` stands apart altogether.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["cli"],
  cli: ["surfaces", "agent", "host", "llm", "wire", "sdk"],
  surfaces: ["agent", "host", "llm", "wire"],
  agent: ["host", "llm", "wire"],
  host: ["wire"],
  llm: ["wire"],
  wire: [],
  sdk: ["wire"],
  client: [],
  build: [],
};

interface PackageHome {
  readonly name: string;
  /** Path prefix, relative to src/. */
  readonly home: string;
  readonly kinds: readonly ImportKind[];
}

const ANY: readonly ImportKind[] = ["static", "dynamic", "type"];

/** Packages that only one part of the house may know. */
const PACKAGE_HOMES: readonly PackageHome[] = [
  { name: "@earendil-works/pi-tui", home: "surfaces/interactive/", kinds: ANY },
  { name: "marked", home: "surfaces/interactive/", kinds: ANY },
  { name: "@earendil-works/pi-ai", home: "llm/", kinds: ANY },
  // Loading it costs more than all else that a short command does, so it is never loaded before it is needed.
  { name: "consola", home: "cli/", kinds: ["dynamic", "type"] },
];

/** wire/ knows no process, no file, no screen. */
const NOT_ON_THE_WIRE = /^(bun(:.*)?|node:(fs(\/promises)?|child_process|process|tty|net|readline|worker_threads))$/;

/** A start that somebody waits for, and what it must therefore not load. */
interface LightEntry {
  readonly entry: string;
  isHeavy(to: string, isPackage: boolean): boolean;
}

const RUNTIME = /^(node:|bun$|bun:)/;
const LIGHT_FLOORS = new Set(["main.ts", "cli", "sdk", "wire"]);
/** By module, since its index brings everything along; markdown among it. */
const FRAME_PACKAGES = /^(valibot$|@earendil-works\/pi-tui\/dist\/(?!index|components\/(markdown|settings-list)))/;
const BEHIND_THE_FRAME = new Set(["host/host.ts", "agent/agent.ts", "surfaces/interactive/interactive.ts"]);

function isBeyondLightFloors(to: string, isPackage: boolean): boolean {
  return isPackage ? !RUNTIME.test(to) : !LIGHT_FLOORS.has(floorOf(to));
}

const LIGHT_ENTRIES: readonly LightEntry[] = [
  // `--version`, and every extension that runs in this executable: without the host, without a package.
  { entry: "main.ts", isHeavy: isBeyondLightFloors },
  { entry: "cli/run-ext.ts", isHeavy: isBeyondLightFloors },
  // The first frame of the screen: everything that it does not show is loaded behind it.
  {
    entry: "cli/interactive.ts",
    isHeavy: (to, isPackage) => {
      return isPackage ? !RUNTIME.test(to) && !FRAME_PACKAGES.test(to) : BEHIND_THE_FRAME.has(to);
    },
  },
];

/** Every breach of architecture.md's floors, one sentence each, in a stable order. */
export function floorFaults(graph: readonly Import[]): string[] {
  const faults = [
    ...graph.flatMap(arrowFaults),
    ...graph.flatMap(packageFaults),
    ...LIGHT_ENTRIES.flatMap((entry) => weightFaults(entry, graph)),
    ...cycleFaults(graph),
  ];
  return [...new Set(faults)].sort();
}

function floorOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function arrowFaults({ from, to, kind, isPackage }: Import): string[] {
  if (isPackage) return [];
  const [upper, lower] = [floorOf(from), floorOf(to)];
  const allowed = MAY_IMPORT[upper];
  if (allowed === undefined) return [`${from}: ${upper} is not a floor of the house`];
  if (upper === lower && upper !== "main.ts") return [];
  if (!allowed.includes(lower)) return [`${from} imports ${to}: ${upper} may not know ${lower}`];
  if (upper === "sdk" && kind !== "type") return [`${from} imports ${to}: sdk takes only types from wire`];
  return [];
}

function packageFaults({ from, to, kind, isPackage }: Import): string[] {
  if (!isPackage) return [];
  if (floorOf(from) === "wire" && NOT_ON_THE_WIRE.test(to)) {
    return [`${from} imports ${to}: wire knows no process, no file and no screen`];
  }
  const rule = PACKAGE_HOMES.find(({ name }) => to === name || to.startsWith(`${name}/`));
  if (rule === undefined) return [];
  if (!from.startsWith(rule.home)) return [`${from} imports ${to}: only ${rule.home} may`];
  if (!rule.kinds.includes(kind)) return [`${from} imports ${to} when it is loaded: use import() where it is needed`];
  return [];
}

function weightFaults({ entry, isHeavy }: LightEntry, graph: readonly Import[]): string[] {
  const faults: string[] = [];
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { to, isPackage } of graph.filter(({ from, kind }) => from === file && kind === "static")) {
      if (isHeavy(to, isPackage)) faults.push(`${entry} loads ${to} (through ${file}) each time it starts`);
      else if (!isPackage) seen.add(to);
    }
  }
  return faults;
}

/** Loops of imports at load time: type imports are gone by then, and an `import()` runs later. */
function cycleFaults(graph: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind, isPackage } of graph) {
    if (!isPackage && kind === "static") next.set(from, [...(next.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const faults: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) faults.push(`import cycle: ${[...path.slice(start), file].join(" -> ")}`);
    if (start >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of [...next.keys()].sort()) visit(file, []);
  return faults;
}
