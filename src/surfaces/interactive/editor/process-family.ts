import { readdirSync, readFileSync } from "node:fs";

const POLL_MS = 10;

/**
 * A process of ours and those below it that share its process group, and so the terminal: a shell and what it runs. What went
 * its own way, such as the window that a command opened, does not belong. Linux only; elsewhere it is the process alone.
 */
export class ProcessFamily {
  #members: readonly number[];

  /** @param pid of a child that is not reaped yet */
  constructor(pid: number) {
    this.#members = [pid];
  }

  /** Asks everybody to end, and kills whoever is there after `graceMs`. Resolves when that is done. Never rejects. */
  async end(graceMs: number): Promise<void> {
    this.#signal("SIGTERM");
    const deadline = performance.now() + graceMs;
    while (this.#members.some(isAlive)) {
      if (performance.now() > deadline) {
        this.kill();
        return;
      }
      await Bun.sleep(POLL_MS);
    }
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    // Those who are known stay so: when a shell has ended, nothing tells any more that what it ran was its own.
    this.#members = withDescendants(this.#members.filter(isAlive));
    for (const pid of this.#members) send(pid, signal);
  }
}

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** It only waits for somebody to ask for its status. */
  readonly hasEnded: boolean;
}

function withDescendants(pids: readonly number[]): readonly number[] {
  const everyone = processIds().flatMap((pid) => entry(pid) ?? []);
  const found = new Set(pids);
  // A set that grows while it is walked through is walked through to its end.
  for (const pid of found) {
    const group = everyone.find((one) => one.pid === pid)?.group;
    for (const one of everyone) if (one.parent === pid && one.group === group) found.add(one.pid);
  }
  return [...found];
}

function isAlive(pid: number): boolean {
  return send(pid, 0) && entry(pid)?.hasEnded !== true;
}

function entry(pid: number): Entry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a program name in brackets and may itself contain blanks and brackets.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(parent), group: Number(group), hasEnded: state === "Z" || state === "X" };
  } catch {
    // It is gone, or there is no /proc.
    return undefined;
  }
}

function processIds(): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    // The one that is known has to do.
    return [];
  }
}

/** False when there is no such process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // Gone, which is what was to be found out.
    return false;
  }
}
