import { join } from "node:path";
import type { ModelServer } from "../../support/model-server.ts";
import { repoRoot } from "../../support/zot.ts";

/** An extension that shows whatever a test asks for. */
export const showcase = join(import.meta.dir, "..", "fixtures", "showcase");

/** An extension that rewrites calls with REWRITE in them and refuses those with FORBIDDEN. */
export const kit = join(import.meta.dir, "..", "fixtures", "kit");

/** On the first screen when every extension is ready. */
export const STARTED = /extensions .*\(\d+ ms\)$/m;

export const todo = join(repoRoot, "extensions", "todo");

/** The offline model and no extensions but those named. */
export function offline(...extensions: readonly string[]): string[] {
  return ["--provider", "offline", "--no-ext", ...extensions.flatMap((path) => ["--ext", path])];
}

/** A scripted model in place of a real one, and no extensions but those named. */
export function served(server: ModelServer, ...extensions: readonly string[]): string[] {
  const model = ["--provider", "openai", "--base-url", server.url("openai"), "--model", "scripted"];
  return [...model, "--no-ext", ...extensions.flatMap((path) => ["--ext", path])];
}
