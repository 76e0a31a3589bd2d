import { errorCode } from "../file-error.ts";

/** Signals a whole process group; false when nobody is left in it. On Windows: the tree below the process. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  if (process.platform === "win32") return endTree(leader);
  return sendToGroup(leader, signal);
}

/** True while any process of the group is left, also when its leader is gone. */
export function groupAlive(leader: number): boolean {
  return sendToGroup(process.platform === "win32" ? -leader : leader, 0);
}

function sendToGroup(leader: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // ESRCH: nobody left. EPERM: only processes of another user, or on macOS dead ones; neither is ours to end.
    if (errorCode(error) === "ESRCH" || errorCode(error) === "EPERM") return false;
    throw error;
  }
}

/** Windows has no process groups, and ending a console program politely needs its console. */
function endTree(root: number): boolean {
  return Bun.spawnSync(["taskkill", "/PID", String(root), "/T", "/F"], { stdio: ["ignore", "ignore", "ignore"] })
    .success;
}

/** The process groups that we started and that may still run; each member is the process id of a group's leader. */
export class LiveGroups {
  readonly #leaders = new Set<number>();

  get size(): number {
    return this.#leaders.size;
  }

  /** Enters a group; dispose it once the group has been stopped, for its number may then be given to others. */
  add(leader: number): Disposable {
    this.#leaders.add(leader);
    return { [Symbol.dispose]: () => this.#leaders.delete(leader) };
  }

  /** Kills everything that is still entered, without waiting: for `process.on("exit")`. Never throws. */
  killAll(): void {
    for (const leader of this.#leaders) {
      try {
        signalGroup(leader, "SIGKILL");
      } catch (error) {
        // One group that cannot be signalled must not spare the others; at exit nobody is left to be told.
        console.error(`could not kill process group ${leader}: ${String(error)}`);
      }
    }
    this.#leaders.clear();
  }
}

/** The groups of the bash tool. */
export const liveGroups = new LiveGroups();
