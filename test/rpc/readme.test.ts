import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { HANDLERS } from "../../src/surfaces/rpc/omp/handlers.ts";
import { repoRoot, zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { type Ids, isRecord, shapeFault } from "./support/shape.ts";

const README = join(repoRoot, "src", "surfaces", "rpc", "README.md");
const text = await Bun.file(README).text();

interface Example {
  readonly heading: string;
  readonly args: readonly string[];
  readonly lines: readonly string[];
}

/** The fenced blocks that begin with `rpc`, each below its heading. */
function examples(): Example[] {
  const found: Example[] = [];
  let heading = "";
  for (const part of text.split(/^(#+ .*|```rpc[^\n]*\n[^`]*```)$/m)) {
    if (part.startsWith("#")) heading = part.replace(/^#+ /, "");
    if (!part.startsWith("```rpc")) continue;
    const [first = "", ...lines] = part.split("\n").slice(0, -1);
    found.push({ heading, args: first.split(" ").slice(1), lines });
  }
  return found;
}

/** An example shows a part: lists may be longer than shown, objects have more members. */
function isPart(shown: unknown, actual: unknown, ids: Ids): boolean {
  if (Array.isArray(shown)) {
    return Array.isArray(actual) && shown.every((item: unknown, index) => isPart(item, actual[index], ids));
  }
  if (!isRecord(shown)) return shapeFault(shown, actual, ids) === undefined;
  return isRecord(actual) && Object.entries(shown).every(([key, value]) => isPart(value, actual[key], ids));
}

describe.skipIf(!zotIsBuilt)("the wire reference", () => {
  test.each(examples())("the example of “$heading” is true", async ({ args, lines }) => {
    await using zot = await RpcProcess.start({ args });
    const ids: Ids = new Map();
    let at = 0;
    for (const line of lines) {
      const body = line.slice(2);
      if (line.startsWith("> ")) {
        zot.send(`${[...ids].reduce((sum, [name, id]) => sum.replaceAll(`$${name}`, id), body)}\n`);
        continue;
      }
      expect(line).toStartWith("< ");
      const shown: unknown = JSON.parse(body);
      const frame = await zot.until((candidate) => isPart(shown, candidate, ids), body, at);
      at = zot.frames.indexOf(frame, at) + 1;
    }
  });
});

test("the wire reference names every command that there is", () => {
  const named = new Set([...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
  expect([...HANDLERS.keys()].filter((name) => !named.has(name))).toEqual([]);
});
