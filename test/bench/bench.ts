import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BuildError } from "../../src/build/error.ts";
import { script } from "../../src/build/script.ts";
import { step } from "../../src/build/step.ts";
import { benchExtensionStart } from "./extension-start.ts";
import { benchFraming } from "./framing.ts";
import { benchIntercepts } from "./intercepts.ts";
import { benchManyExtensions } from "./many-extensions.ts";
import type { Measurement } from "./measure.ts";
import { brokenPromises, table } from "./report.ts";
import { benchRpc } from "./rpc.ts";
import { benchScreen } from "./screen.ts";
import { benchStart } from "./start.ts";
import { benchToolCall } from "./tool-call.ts";

/** Measures one thing; `folder` is empty and its own. */
type Part = (folder: string) => Promise<Measurement[]>;

const PARTS: Readonly<Record<string, Part>> = {
  start: benchStart,
  "extension-start": benchExtensionStart,
  "many-extensions": benchManyExtensions,
  "tool-call": benchToolCall,
  intercepts: benchIntercepts,
  framing: benchFraming,
  rpc: benchRpc,
  screen: benchScreen,
};

const LIMIT_MS = 180_000;

script(async () => {
  const { json, parts } = options();
  const workshop = mkdtempSync(join(tmpdir(), "zot-bench-"));
  try {
    const results = await Promise.race([measure(parts, workshop), expiry()]);
    report(results, json);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
});

async function measure(parts: readonly (readonly [string, Part])[], workshop: string): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const [name, part] of parts) {
    const folder = join(workshop, name);
    mkdirSync(folder);
    results.push(...(await step(`bench ${name}`, () => part(folder))));
  }
  return results;
}

async function expiry(): Promise<never> {
  await Bun.sleep(LIMIT_MS);
  throw new BuildError(`the bench was not done within ${LIMIT_MS / 1000} s`);
}

function report(results: readonly Measurement[], json: boolean): void {
  console.log(json ? JSON.stringify(results) : table(results));
  const broken = brokenPromises(results);
  if (broken.length > 0) throw new BuildError(broken.join("\n"));
}

function options() {
  try {
    const { values, positionals } = parseArgs({ options: { json: { type: "boolean" } }, allowPositionals: true });
    const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
    if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}`);
    const parts = Object.entries(PARTS).filter(([name]) => positionals.length === 0 || positionals.includes(name));
    return { json: values.json ?? false, parts };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BuildError(`${reason}\nusage: bun run bench [--json] [${Object.keys(PARTS).join("|")}]...`);
  }
}
