import { readdirSync, readFileSync } from "node:fs";

/** Pids of the direct children of a process (Linux; empty elsewhere). */
export function childrenOf(pid: number): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  const status = readProc(`/proc/${pid}/status`);
  const match = /^PPid:\s+(\d+)$/m.exec(status);
  return match === null ? undefined : Number(match[1]);
}

/** Megabytes of memory that are this process's own share (PSS); undefined where the system does not tell. */
export function ownShareMb(pid: number): number | undefined {
  const match = /^Pss:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/smaps_rollup`));
  return match === null ? undefined : (Number(match[1]) * 1024) / 1e6;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // A process may end between being listed and being read, and systems without /proc have none to read.
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
