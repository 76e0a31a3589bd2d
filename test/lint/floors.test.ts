import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { floorFaults } from "./floors.ts";
import { importGraph, readSources } from "./import-graph.ts";
import { topLevelAwaits } from "./top-level-await.ts";

const src = join(import.meta.dir, "..", "..", "src");

function faultsOf(sources: Record<string, string>): string[] {
  return floorFaults(importGraph(new Map(Object.entries(sources))));
}

describe("the house", () => {
  test("has no arrow that goes up, no package out of place, no heavy start and no cycle", () => {
    const sources = readSources(src);
    expect(sources.size).toBeGreaterThan(10);
    expect(floorFaults(importGraph(sources))).toEqual([]);
  });

  // Bytecode and a top-level await in a module that is imported twice: oven-sh/bun#37770, a silent exit 0.
  test("awaits at the top level in main.ts alone", async () => {
    const files = [...readSources(src).keys()];
    expect(await topLevelAwaits(src, files)).toEqual(["main.ts"]);
  });
});

describe("a breach is found when", () => {
  test.each([
    ["host", "agent"],
    ["host", "surfaces"],
    ["host", "llm"],
    ["llm", "host"],
    ["llm", "agent"],
    ["agent", "surfaces"],
    ["agent", "cli"],
    ["surfaces", "cli"],
    ["wire", "host"],
    ["sdk", "host"],
    ["build", "wire"],
    ["cli", "build"],
    ["cli", "main.ts"],
  ])("%s imports %s, at load time, lazily, for types or to pass it on", (upper, lower) => {
    const target = lower === "main.ts" ? "../main.ts" : `../${lower}/b.ts`;
    const forms = [
      `import { b } from "${target}";\nb();`,
      `import type { B } from "${target}";\nexport type A = B;`,
      `import {\n  type B,\n} from "${target}";\nexport type A = B;`,
      `import "${target}";`,
      `export * from "${target}";`,
      `export type { B } from "${target}";`,
      `export const a = () => import("${target}");`,
      `export type A = typeof import("${target}");`,
    ];
    for (const form of forms) {
      const faults = faultsOf({ [`${upper}/a.ts`]: form });
      expect(faults, form).toContain(`${upper}/a.ts imports ${target.slice(3)}: ${upper} may not know ${lower}`);
    }
  });

  test("main.ts imports anything but cli/", () => {
    expect(faultsOf({ "main.ts": 'import { a } from "./wire/a.ts";\na();' })).toEqual([
      "main.ts imports wire/a.ts: main.ts may not know wire",
    ]);
  });

  test("a file leaves src/ or stands on no floor", () => {
    expect(faultsOf({ "cli/a.ts": 'import { a } from "../../test/a.ts";\na();' })).toEqual([
      "cli/a.ts imports ../test/a.ts: cli may not know ..",
    ]);
    expect(faultsOf({ "misc/a.ts": 'import { b } from "./b.ts";\nb();' })).toEqual([
      "misc/a.ts: misc is not a floor of the house",
    ]);
  });

  test("the sdk takes more than types from wire", () => {
    expect(faultsOf({ "sdk/a.ts": 'import type { A } from "../wire/a.ts";\nexport type B = A;' })).toEqual([]);
    expect(faultsOf({ "sdk/a.ts": 'import { a } from "../wire/a.ts";\na();' })).toEqual([
      "sdk/a.ts imports wire/a.ts: sdk takes only types from wire",
    ]);
  });

  test.each([
    ["@earendil-works/pi-tui", "surfaces/print.ts", "surfaces/interactive/"],
    ["@earendil-works/pi-ai", "agent/turn.ts", "llm/"],
    ["@earendil-works/pi-ai/providers", "agent/turn.ts", "llm/"],
    ["consola", "surfaces/print.ts", "cli/"],
  ])("%s is imported in %s", (name, file, home) => {
    const text = `import { a } from "${name}";\na();`;
    expect(faultsOf({ [file]: text })).toEqual([`${file} imports ${name}: only ${home} may`]);
    expect(faultsOf({ [file]: `import type { A } from "${name}";\nexport type B = A;` })).toHaveLength(1);
  });

  test("consola is loaded before it is needed", () => {
    expect(faultsOf({ "cli/a.ts": 'import { consola } from "consola";\nconsola.info("");' })).toEqual([
      "cli/a.ts imports consola when it is loaded: use import() where it is needed",
    ]);
    expect(faultsOf({ "cli/a.ts": 'export const load = () => import("consola");' })).toEqual([]);
  });

  test("wire reaches for a process or a file", () => {
    expect(faultsOf({ "wire/a.ts": 'import { readFileSync } from "node:fs";\nreadFileSync("");' })).toEqual([
      "wire/a.ts imports node:fs: wire knows no process, no file and no screen",
    ]);
  });

  test("starting an extension would load a package or the host", () => {
    const faults = faultsOf({
      "main.ts": 'const { a } = await import("./cli/run-ext.ts");\na();',
      "cli/run-ext.ts": 'import { b } from "./b.ts";\nexport const a = b;',
      "cli/b.ts": 'import * as v from "valibot";\nimport { c } from "../host/c.ts";\nexport const b = [v, c];',
    });
    expect(faults).toEqual([
      "cli/run-ext.ts loads host/c.ts (through cli/b.ts) each time it starts",
      "cli/run-ext.ts loads valibot (through cli/b.ts) each time it starts",
    ]);
  });

  test("the first frame would wait for what it does not show", () => {
    const faults = faultsOf({
      "cli/interactive.ts": 'import { a } from "../surfaces/interactive/a.ts";\na();\nawait import("../host/host.ts");',
      "surfaces/interactive/a.ts": [
        'import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";',
        'import { Marked } from "marked";',
        'import { Box } from "@earendil-works/pi-tui";',
        'import { Agent } from "../../agent/agent.ts";',
        "export const a = () => [Editor, Marked, Box, Agent];",
      ].join("\n"),
      "agent/agent.ts": "export const Agent = 1;",
      "host/host.ts": "export const host = 1;",
    });
    expect(faults.filter((fault) => fault.includes("each time it starts"))).toEqual([
      "cli/interactive.ts loads @earendil-works/pi-tui (through surfaces/interactive/a.ts) each time it starts",
      "cli/interactive.ts loads agent/agent.ts (through surfaces/interactive/a.ts) each time it starts",
      "cli/interactive.ts loads marked (through surfaces/interactive/a.ts) each time it starts",
    ]);
  });

  test("files load each other in a loop, not when an import() or a type closes it", () => {
    const loop = {
      "host/a.ts": 'import { b } from "./b.ts";\nb();',
      "host/b.ts": 'import { c } from "./c.ts";\nexport const b = () => c;',
      "host/c.ts": 'export * from "./a.ts";',
    };
    expect(faultsOf(loop)).toEqual(["import cycle: host/a.ts -> host/b.ts -> host/c.ts -> host/a.ts"]);
    expect(faultsOf({ ...loop, "host/c.ts": 'export const c = () => import("./a.ts");' })).toEqual([]);
    expect(faultsOf({ ...loop, "host/c.ts": 'import type { A } from "./a.ts";\nexport type C = A;' })).toEqual([]);
  });

  test("a file other than main.ts awaits at the top level in any form", async () => {
    const folder = mkdtempSync(join(tmpdir(), "zot-await-"));
    try {
      const files = {
        "plain.ts": "await Promise.resolve();",
        "loop.ts": "for await (const x of []) console.log(x);",
        "using.ts": "await using x = { async [Symbol.asyncDispose]() {} };\nconsole.log(x);",
        "fine.ts": 'import { x } from "./plain.ts";\nexport const y = async () => await x;',
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      expect(await topLevelAwaits(folder, Object.keys(files))).toEqual(["loop.ts", "plain.ts", "using.ts"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
