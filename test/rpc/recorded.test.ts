import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { replay } from "./support/replay.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const ASKER = join(import.meta.dir, "fixtures", "asker.ts");

/** Scenarios as the reference implementation answered them; where ours differs on purpose, the README says so. */
const SCENARIOS: readonly { readonly name: string; readonly args?: readonly string[]; readonly isOffline?: true }[] = [
  { name: "01-startup-state", isOffline: true },
  { name: "02-prompt-one-tool" },
  { name: "03-prompt-edge" },
  { name: "04-host-tools" },
  { name: "05-host-uris" },
  { name: "06-extension-ui", args: ["--ext", ASKER] },
  { name: "09-approvals", args: ["--approve", "ask"] },
  { name: "09b-approvals-no-ui", args: ["--approve", "ask", "--no-ui"] },
  { name: "11-auto-retry" },
  { name: "17-idle-queue-and-framing" },
  { name: "19-intent-useless" },
];

describe.skipIf(!zotIsBuilt)("recorded scenarios", () => {
  test.each(SCENARIOS)("$name gives the same frames in the same order", async ({ name, args = [], isOffline }) => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ args, ...(isOffline === true ? {} : { server }) });
    await Bun.write(join(zot.cwd, "a.txt"), "alpha\nbeta\n");
    await replay(name, zot);
    expect(await zot.close()).toBe(0);
    expect(zot.badLines).toEqual([]);
  });
});
