import { join } from "node:path";
import * as v from "valibot";
import { EXTENSION_NAME_MAX_BYTES, MANIFEST_MAX_BYTES } from "../../wire/limits.ts";
import { faultOf } from "../../wire/schemas.ts";
import { HostError, systemText } from "../error.ts";
import { pathKind } from "./path-kind.ts";
import { readSmallFile } from "./small-file.ts";

export const MANIFEST_FILE = "extension.json";
const THEME_FILES = ["theme.json", join("themes", "theme.json")];

/** Which interpreter runs source files: ours, or whatever the system has. */
export type Runtime = "zot" | "system";

/** A checked `extension.json` (extension-host.md §1.1). Absent texts are empty. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exec: string;
  readonly args: readonly string[];
  readonly language: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly skills: readonly string[];
  readonly runtime: Runtime;
  /** Holds `theme.json` or `themes/theme.json`. */
  readonly hasTheme: boolean;
}

const text = v.nullish(v.string(), "");
const texts = v.nullish(v.array(v.string()), () => []);

const manifestSchema = v.object({
  name: text,
  version: text,
  exec: text,
  args: texts,
  language: text,
  description: text,
  enabled: v.nullish(v.boolean(), true),
  skills: texts,
  runtime: v.nullish(v.picklist(["zot", "system"]), "zot"),
});

/**
 * Reads and checks the manifest of the extension directory `dir`. Throws `HostError` "manifest" with the texts of
 * extension-host.md §1.1, in that order of checks.
 */
export function readManifest(dir: string): Manifest {
  const hasTheme = THEME_FILES.some((file) => pathKind(join(dir, file)) === "file");
  const fields = parseManifest(readManifestText(join(dir, MANIFEST_FILE)));
  if (fields.name === "") throw new HostError("manifest", "manifest: name is required");
  const nameFault = extensionNameFault(fields.name);
  if (nameFault !== undefined)
    throw new HostError("manifest", `manifest: invalid name ${JSON.stringify(fields.name.slice(0, 80))}: ${nameFault}`);
  if (fields.exec === "" && fields.skills.length === 0 && !hasTheme) {
    throw new HostError("manifest", "manifest: exec, theme, or skills is required");
  }
  return { ...fields, hasTheme };
}

/** Why `name` cannot be the identity of an extension: it ends up in file names and labels (§1.7, §1.1 [L]). */
export function extensionNameFault(name: string): string | undefined {
  if (Buffer.byteLength(name) > EXTENSION_NAME_MAX_BYTES) return `longer than ${EXTENSION_NAME_MAX_BYTES} bytes`;
  if (name.trim() !== name) return "blank at its start or end";
  if (name.startsWith(".")) return "starts with a dot";
  if (/[/\\]/.test(name)) return "contains a path separator";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return "contains a control character";
  return undefined;
}

function parseManifest(source: string): v.InferOutput<typeof manifestSchema> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : String(error);
    throw new HostError("manifest", `parse manifest: ${detail}`, error);
  }
  // `null` decodes to an empty manifest, which then lacks its name.
  value ??= {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new HostError("manifest", "parse manifest: not a JSON object");
  const result = v.safeParse(manifestSchema, withKnownKeys(value));
  if (!result.success) throw new HostError("manifest", `parse manifest: ${faultOf(result.issues)}`);
  return result.output;
}

/** Exact keys win; other spellings of case count when the exact one is absent, as in Go's decoder (§1.1 [REQ]). */
function withKnownKeys(value: object): Record<string, unknown> {
  const entries = Object.entries(value);
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(manifestSchema.entries)) {
    const exact = entries.find(([name]) => name === key);
    const found = exact ?? entries.findLast(([name]) => name.toLowerCase() === key);
    if (found !== undefined) out[key] = found[1];
  }
  return out;
}

function readManifestText(path: string): string {
  try {
    const source = readSmallFile(path, MANIFEST_MAX_BYTES);
    // Editors on Windows write a BOM; refusing it would only puzzle their users.
    return source.startsWith("\uFEFF") ? source.slice(1) : source;
  } catch (error) {
    throw new HostError("manifest", `read manifest: ${path}: ${systemText(error)}`, error);
  }
}
