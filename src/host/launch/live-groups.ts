import { errorCode } from "../error.ts";

/**
 * The process groups that are ours right now. Whatever way this process ends short of SIGKILL, the `exit` event runs
 * and takes them along (architecture.md rule 8).
 */
export class LiveGroups {
  readonly #leaders = new Set<number>();
  #armed = false;

  add(leader: number): void {
    this.#leaders.add(leader);
    if (this.#armed) return;
    this.#armed = true;
    process.on("exit", () => this.killAll());
  }

  /** Call once the group is known to be empty: its number may be used again by the system. */
  delete(leader: number): void {
    this.#leaders.delete(leader);
  }

  killAll(): void {
    for (const leader of this.#leaders) signalGroup(leader, "SIGKILL");
    this.#leaders.clear();
  }
}

/** One for the whole process: extensions and the bash tool share it. */
export const liveGroups = new LiveGroups();

/** Signals every member of the group of `leader`; false when nobody is left in it. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
    return true;
  } catch (error) {
    // EPERM: members are left that changed their user. They are not ours to signal, but they are there.
    return errorCode(error) === "EPERM";
  }
}

/** Whether the group of `leader` still has members; unreaped ones count. */
export function groupIsAlive(leader: number): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
