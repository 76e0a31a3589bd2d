import { jest } from "bun:test";
import { basename } from "node:path";
import { SimulatedChild } from "./simulated-child.ts";

/** Above every process id that a kernel gives, so that a signal which goes astray hits nobody. */
const FIRST_PID = 2 ** 30;

/**
 * The operating system below the host, simulated: `Bun.spawn` makes children in memory, `process.kill` reaches them,
 * and time stands still until it is told to pass. Everything above runs as it is. One at a time; dispose it to get the
 * real system back.
 */
export class SimulatedSystem implements Disposable {
  /** Every child so far, in the order of their start. */
  readonly children: SimulatedChild[] = [];
  /** Called with every new child before the host sees it. */
  onSpawn: (child: SimulatedChild) => void = () => undefined;
  readonly #spawn = Bun.spawn;
  readonly #kill = process.kill;

  constructor() {
    jest.useFakeTimers();
    // `Reflect.set`: a simulation has a few of the many members that the types ask for.
    Reflect.set(Bun, "spawn", (_argv: readonly string[], { cwd }: { readonly cwd: string }) => {
      const pid = FIRST_PID + this.children.length;
      const child = new SimulatedChild(pid, basename(cwd));
      this.children.push(child);
      this.onSpawn(child);
      return child;
    });
    Reflect.set(process, "kill", (target: number, signal: string | number): true => {
      const child = this.children[-target - FIRST_PID];
      if (child === undefined) throw new Error(`a signal to ${target}, which is no group of ours`);
      if (child.signal(signal)) return true;
      throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
    });
  }

  /** ms that have passed. */
  get now(): number {
    return performance.now();
  }

  /** Timers that would still fire. */
  get timers(): number {
    return jest.getTimerCount();
  }

  /** Lets the event loop go round so many times, which takes no time. */
  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Lets `ms` go by, step by step, so that what one timer sets off can set the next one. */
  async pass(ms: number): Promise<void> {
    await this.passUntil(() => false, ms);
  }

  /** Lets time go by until `done`; false when that is not so after `ms`. */
  async passUntil(done: () => boolean, ms: number): Promise<boolean> {
    const end = this.now + ms;
    const step = Math.max(FINE_STEP_MS, ms / MAX_STEPS);
    for (;;) {
      await this.turns(TURNS_A_STEP);
      if (done()) return true;
      const left = end - this.now;
      if (left <= 0) return false;
      jest.advanceTimersByTime(Math.min(left, step));
    }
  }

  [Symbol.dispose](): void {
    Reflect.set(Bun, "spawn", this.#spawn);
    Reflect.set(process, "kill", this.#kill);
    jest.clearAllTimers();
    jest.useRealTimers();
  }
}

/** Below every wait of the host but its polls. */
const FINE_STEP_MS = 50;
const MAX_STEPS = 250;
/** What one timer sets off may take several turns of the event loop. */
const TURNS_A_STEP = 3;
