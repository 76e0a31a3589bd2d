import type { HostWorld } from "../../support/host.ts";
import { runZot } from "../../support/zot.ts";

/** What `zot ext doctor` of the built program says about the extensions of a world. */
export async function doctor(world: HostWorld, ...args: readonly string[]): Promise<string> {
  const options = { cwd: world.cwd, env: { ZOT_HOME: world.home } };
  const { code, stdout, stderr } = await runZot(["ext", "doctor", ...args], options);
  // Its status never tells of extensions (extension-host.md §7.4).
  if (code !== 0) throw new Error(`zot ext doctor ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
