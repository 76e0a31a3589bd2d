import { createHash, timingSafeEqual } from "node:crypto";

const VARIABLES = ["ZOTCORE_RPC_TOKEN", "ZUTCORE_RPC_TOKEN"];

/** The token that a client must show (extension-host.md §7.9); undefined when none is asked for. */
export type Token = string | undefined;

/** Takes the token out of the environment, where every extension and tool would find it. */
export function takeToken(env: Record<string, string | undefined>): Token {
  const token = VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  for (const name of VARIABLES) delete env[name];
  return token;
}

/** Whether `given` is the token; takes as long for a wrong one as for the right one. */
export function isToken(token: string, given: unknown): boolean {
  // Digests are of one length, whatever was given.
  return typeof given === "string" && timingSafeEqual(digest(token), digest(given));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
