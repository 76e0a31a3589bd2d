import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "./command.ts";
import { compile, isCompiled } from "./compile.ts";
import { fingerprint } from "./fingerprint.ts";
import { withBuildLock } from "./lock.ts";
import { root } from "./project.ts";
import { script } from "./script.ts";
import { isStamped, stamp } from "./stamp.ts";
import { step } from "./step.ts";

// This runs before node_modules exists: neither this file nor what it imports may need a package.

const BUN_VERSION = "1.4.5";
const INSTALL_DEADLINE_MS = 10 * 60_000;
const installed = join(root, "node_modules", ".zot-installed");

script(async () => {
  if (Bun.version !== BUN_VERSION) {
    console.error(`note: zot is built and tested with Bun ${BUN_VERSION}; this is Bun ${Bun.version}`);
  }
  if (isInstalled() && isCompiled()) return;
  await withBuildLock(async () => {
    // Somebody else may have done the work while we waited for the lock.
    if (!isInstalled()) await step("install packages", install);
    if (!isCompiled()) await compile();
  });
});

function isInstalled(): boolean {
  return isStamped(installed, packages());
}

function packages(): string {
  return fingerprint(["package.json", "bun.lock"]);
}

async function install(): Promise<void> {
  const wanted = packages();
  await commandOrThrow([process.execPath, "install", "--frozen-lockfile"], {
    cwd: root,
    deadlineMs: INSTALL_DEADLINE_MS,
  });
  // Without packages Bun makes no folder, and the stamp would have nowhere to go.
  mkdirSync(join(root, "node_modules"), { recursive: true });
  stamp(installed, wanted);
}
