import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { errorCode } from "../file-error.ts";

/** A holder that forks while we look is found by the next pass. */
const MAX_PASSES = 3;
/** Processes end, and others belong to other users, while we look: both mean that there is nothing for us. */
const NOTHING_THERE: ReadonlySet<string> = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM", "ENOTDIR", "EINVAL"]);

/**
 * True when everything left of a process group is dead and only waits to be reaped. Orphans are reaped by process 1,
 * which in many containers takes its time or never does it. Linux only: elsewhere it is false.
 */
export function isGroupDead(leader: number): boolean {
  if (process.platform !== "linux") return false;
  const everyone = processIds();
  // Without /proc nothing is known, which is not the same as nobody.
  if (everyone.length === 0) return false;
  return everyone.every((pid) => {
    const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, "latin1"), "");
    // The second field is a program name in brackets and may itself contain blanks and brackets.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(group) !== leader || state === "Z" || state === "X";
  });
}

/**
 * Kills every process but ourselves that still has the file at `path` open. A child that called `setsid` has left
 * the command's process group, and the output that it inherited is the only trace of where it came from. Linux only;
 * elsewhere it does nothing.
 */
export function killPipeHolders(path: string): void {
  if (process.platform !== "linux") return;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const holders = processIds().filter((pid) => pid !== process.pid && holds(pid, path));
    if (holders.length === 0) return;
    for (const holder of holders) orNothing(() => process.kill(holder, "SIGKILL"), false);
  }
}

function holds(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return orNothing(() => readdirSync(folder), []).some((fd) => {
    const target = orNothing(() => readlinkSync(`${folder}/${fd}`), "");
    return target === path || target === `${path} (deleted)`;
  });
}

function processIds(): number[] {
  return orNothing(() => readdirSync("/proc"), [])
    .map(Number)
    .filter(Number.isInteger);
}

function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch (error) {
    if (NOTHING_THERE.has(errorCode(error))) return nothing;
    throw error;
  }
}
