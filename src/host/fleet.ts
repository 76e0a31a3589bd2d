import { READY_DEADLINE_MS, STOP_GRACE_MS } from "../wire/limits.ts";
import { HostError } from "./error.ts";
import { Extension, type ExtensionWorld } from "./extension.ts";
import { type Candidate, type DiscoveryOptions, discover } from "./launch/discovery.ts";

/** An extension that did not load; `<dir>: <text>` is what the user reads (extension-host.md §1.1). */
export interface LoadError {
  readonly candidate: Candidate;
  readonly text: string;
}

/** What a reload came to (extension-host.md §7.1). */
export interface ReloadReport {
  /** Processes and process-less extensions of the old set that were running. */
  readonly stopped: number;
  /** Those of the new set that shook hands. */
  readonly loaded: number;
  /** Those among them that can be used. */
  readonly ready: number;
  readonly errors: readonly LoadError[];
}

/** One set of extensions, as it was found at one moment. */
interface Roster {
  readonly candidates: readonly Candidate[];
  readonly extensions: readonly Extension[];
  readonly errors: LoadError[];
}

const NOBODY: Roster = { candidates: [], extensions: [], errors: [] };

/** All extensions of a host: found, started side by side, replaced by a reload, stopped (§1.2, §7.1, §7.2). */
export class Fleet {
  readonly #where: DiscoveryOptions;
  readonly #world: ExtensionWorld;
  #roster: Roster = NOBODY;
  #generation = 0;
  #starting: Promise<void> | undefined;
  #reloading: Promise<ReloadReport> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(where: DiscoveryOptions, world: ExtensionWorld) {
    this.#where = where;
    this.#world = world;
  }

  /** Every place that was looked at, in load order, with what became of it. */
  get candidates(): readonly Candidate[] {
    return this.#roster.candidates;
  }

  /** Those that were started, in load order. */
  get extensions(): readonly Extension[] {
    return this.#roster.extensions;
  }

  get errors(): readonly LoadError[] {
    return [...this.#roster.errors].sort((a, b) => a.candidate.loadIndex - b.candidate.loadIndex);
  }

  /**
   * Discovers, decides, spawns the winners side by side; resolves when each has shaken hands or failed. Calling it again
   * waits for the first call.
   */
  start(): Promise<void> {
    this.#starting ??= this.#stopping === undefined ? this.#load().then(() => undefined) : Promise.resolve();
    return this.#starting;
  }

  /** Resolves when every extension is ready, gone, or out of time (§2.5); the deadline is each one's own (defect 10). */
  async whenReady(): Promise<void> {
    await Promise.all(this.extensions.map((extension) => extension.waitReady(READY_DEADLINE_MS)));
  }

  /**
   * Replaces all of them by what is on disk now, by the same rules as at the start (defect 37). Calls in flight end at
   * once; new processes start when the old ones are gone. A call during a reload waits for that one.
   */
  reload(): Promise<ReloadReport> {
    this.#reloading ??= this.#reload().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  /** Stops all side by side; nothing is left when it resolves. Calling it again waits for the first call. */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #reload(): Promise<ReloadReport> {
    const old = this.extensions.filter(isUp);
    await Promise.all(this.extensions.map((extension) => extension.stop(STOP_GRACE_MS, "fail")));
    // An exit that came meanwhile has the last word.
    if (this.#stopping !== undefined) return { stopped: old.length, loaded: 0, ready: 0, errors: [] };
    const loaded = await this.#load();
    await this.whenReady();
    const ready = this.extensions.filter((extension) => extension.state === "ready").length;
    return { stopped: old.length, loaded, ready, errors: this.errors };
  }

  async #stop(graceMs: number): Promise<void> {
    await Promise.all(this.extensions.map((extension) => extension.stop(graceMs)));
    // A reload sees that it has been overtaken, and starts nothing any more.
    await this.#reloading;
  }

  /** Gives the number of those that shook hands. */
  async #load(): Promise<number> {
    const candidates = discover(this.#where);
    const isReload = this.#reloading !== undefined;
    const errors: LoadError[] = [];
    const extensions: Extension[] = [];
    for (const candidate of candidates) {
      const { manifest, verdict } = candidate;
      if (verdict.kind === "error") errors.push({ candidate, text: verdict.error.message });
      if (verdict.kind === "winner" && manifest !== undefined) {
        this.#generation += 1;
        extensions.push(
          new Extension({ ...candidate, manifest }, { generation: this.#generation, isReload }, this.#world),
        );
      }
    }
    const roster = { candidates, extensions, errors };
    this.#roster = roster;
    const loaded = await Promise.all(extensions.map((extension) => startOne(extension, roster)));
    return loaded.filter(Boolean).length;
  }
}

/** True when it shook hands. Never rejects for a fault of the extension. */
async function startOne(extension: Extension, { candidates, errors }: Roster): Promise<boolean> {
  // 20 spawns in one synchronous run stall the event loop for 50 ms; one a turn costs nothing (bun.md §2).
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    await extension.start();
    return true;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const candidate = candidates[extension.loadIndex];
    // One that was told to stop did not fail.
    if (candidate !== undefined && error.code !== "stopped") errors.push({ candidate, text: error.message });
    return false;
  }
}

function isUp({ state }: Extension): boolean {
  return state === "registering" || state === "ready" || state === "starting";
}
