import { rename } from "node:fs/promises";
import { join } from "node:path";
import { ExtensionDriver, sourceCommand } from "../support/extension-driver.ts";
import { repoRoot } from "../support/zot.ts";

/** A way to run an extension that uses the SDK. */
export interface SdkRuntime {
  readonly name: string;
  start(file: string, env?: Readonly<Record<string, string>>): ExtensionDriver;
}

const fixtures = join(import.meta.dir, "fixtures");
// Below node_modules, which is nobody's source: a temporary folder would need somebody to outlive all test files.
const bundle = join(repoRoot, "node_modules", ".cache", "zot-test", "sdk.mjs");
const node = Bun.which("node");

/** zot's own runner, Bun on the sources, and Node ≥ 20 on a bundle like the published one. */
export const sdkRuntimes: readonly SdkRuntime[] = [
  runtime("zot __run-ext", (file) => sourceCommand(file), "zot/ext"),
  runtime("bun", (file) => [process.execPath, file], join(repoRoot, "src", "sdk", "index.ts")),
  ...(node !== null && (await isNode20(node)) ? [await nodeRuntime(node)] : []),
];

function runtime(name: string, argv: (file: string) => readonly string[], sdk: string): SdkRuntime {
  return {
    name,
    start: (file, env) => new ExtensionDriver(argv(join(fixtures, file)), { env: { ...env, ZOT_SDK: sdk } }),
  };
}

async function nodeRuntime(program: string): Promise<SdkRuntime> {
  // Test files may run side by side: each builds its own copy and puts it in place whole.
  const fresh = `${bundle}.${process.pid}.mjs`;
  const build = Bun.spawn(
    [process.execPath, "build", "src/sdk/index.ts", "--target=node", "--format=esm", `--outfile=${fresh}`],
    { cwd: repoRoot, stdout: "ignore", stderr: "pipe" },
  );
  const [code, log] = await Promise.all([build.exited, new Response(build.stderr).text()]);
  if (code !== 0) throw new Error(`the SDK does not build for Node:\n${log}`);
  await rename(fresh, bundle);
  return runtime("node", (file) => [program, file], bundle);
}

async function isNode20(program: string): Promise<boolean> {
  const version = await new Response(Bun.spawn([program, "--version"]).stdout).text();
  return Number(/^v(\d+)/.exec(version)?.[1]) >= 20;
}
