import { join } from "node:path";

/** The folder that holds the sessions of every project (extension-host.md §6.2). */
export function sessionsRoot(home: string): string {
  return join(home, "sessions");
}

/** The folder of one project: named by the hash of the directory exactly as the host holds it (§6.2). */
export function sessionFolder(home: string, cwd: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(cwd).digest("hex").slice(0, 16);
  return join(sessionsRoot(home), hash);
}

/** A name that no session has yet; its eight digits are not those of the session's id (§6.2). */
export function newSessionPath(folder: string, now: Date): string {
  const [date = "", time = ""] = now.toISOString().split(/[T.]/);
  const stamp = `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}`;
  return join(folder, `${stamp}-${crypto.randomUUID().slice(0, 8)}.jsonl`);
}

/** Hidden neighbours of a session file, such as locks, are no sessions. */
export function isSessionName(name: string): boolean {
  return name.endsWith(".jsonl") && !name.startsWith(".");
}
