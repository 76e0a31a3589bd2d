import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../agent/tools/replace-file.ts";
import { HostError } from "../../host/error.ts";
import { MANIFEST_FILE, readManifest } from "../../host/launch/manifest.ts";
import { CliError } from "../error.ts";

// ECMAScript "JSON.parse source text access", in the runtime but not yet in TypeScript's library.
declare global {
  interface JSON {
    rawJSON(text: string): object;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * Sets `enabled` in the manifest of the extension directory `dir` (extension-host.md §7.5). Everything else stays:
 * unknown keys, their order, digits of numbers, the file's mode. False when the manifest says so already; the file is
 * untouched then. Throws `CliError`, also for a manifest that the host would refuse: what cannot be read is never
 * rewritten.
 */
export async function setEnabled(dir: string, enabled: boolean): Promise<boolean> {
  if (isEnabled(dir) === enabled) return false;
  const path = join(dir, MANIFEST_FILE);
  const reason = await replaceFile(path, Buffer.from(withEnabled(readFileSync(path, "utf8"), enabled)));
  if (reason !== null) throw new CliError("failed", `cannot write ${path}: ${reason}`);
  return true;
}

function isEnabled(dir: string): boolean {
  try {
    return readManifest(dir).enabled;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliError(
      "failed",
      `${dir}: ${error.message}\ncorrect its ${MANIFEST_FILE} first; nothing was changed`,
      error,
    );
  }
}

function withEnabled(source: string, enabled: boolean): string {
  const fields = JSON.parse(source.replace(/^\uFEFF/, ""), (_key, value, { source: digits }) =>
    typeof value === "number" && digits !== undefined ? JSON.rawJSON(digits) : value,
  );
  if (typeof fields !== "object" || fields === null)
    throw new CliError("failed", "the manifest changed while it was read");
  // The host takes another spelling of case when the exact key is absent, the last one of them (§1.1 [REQ]).
  const key = Object.hasOwn(fields, "enabled")
    ? "enabled"
    : (Object.keys(fields).findLast((name) => name.toLowerCase() === "enabled") ?? "enabled");
  return `${JSON.stringify({ ...fields, [key]: enabled }, null, 2)}\n`;
}
