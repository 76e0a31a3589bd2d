import { errorCode } from "../error.ts";

/** Signals every member of the group of `leader`; false when nobody is left in it. On Windows: the tree below it. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  if (process.platform === "win32") return endTree(leader);
  return send(-leader, signal);
}

/** Whether any process of the group is left, also when its leader is gone; unreaped ones count. */
export function groupIsAlive(leader: number): boolean {
  return send(process.platform === "win32" ? leader : -leader, 0);
}

function send(target: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(target, signal);
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

/**
 * The process groups that are ours right now, each known by its leader's process id. Whatever way this process ends
 * short of SIGKILL, the `exit` event runs and takes them along (architecture.md rule 8).
 */
class LiveGroups {
  readonly #leaders = new Set<number>();
  #armed = false;

  get size(): number {
    return this.#leaders.size;
  }

  /** Enters a group; dispose it once the group is known to be empty, for its number may then be given to others. */
  add(leader: number): Disposable {
    this.#leaders.add(leader);
    if (!this.#armed) {
      this.#armed = true;
      process.on("exit", () => this.killAll());
    }
    return { [Symbol.dispose]: () => this.#leaders.delete(leader) };
  }

  /** Kills everything that is entered, without waiting. Never throws. */
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

/** One for the whole process: extensions, the bash tool and whatever else starts programs. */
export const liveGroups = new LiveGroups();
