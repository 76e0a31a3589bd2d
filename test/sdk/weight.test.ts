import { expect, test } from "bun:test";
import { join } from "node:path";
import { repoRoot } from "../support/zot.ts";

/** Minified. Every extension loads the SDK at every start; some kilobytes of it cost nothing that can be measured. */
const MAX_BYTES = 32 * 1024;

test("the SDK is small, and loads nothing but itself", async () => {
  const built = await Bun.build({
    entrypoints: [join(repoRoot, "src", "sdk", "index.ts")],
    target: "node",
    format: "esm",
    minify: true,
  });
  const [bundle] = built.outputs;
  const code = (await bundle?.text()) ?? "";
  expect(code).toContain("hello_ack");
  expect(code.length).toBeLessThan(MAX_BYTES);
  expect(new Bun.Transpiler({ loader: "js" }).scanImports(code)).toEqual([]);
});
