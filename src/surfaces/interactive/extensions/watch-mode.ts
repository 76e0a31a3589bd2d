import { type ReloadParts, reloadExtensions, reloadText } from "./reload.ts";
import { SourceWatch } from "./source-watch.ts";

/** So many reloads within so many ms are no person who saves a file. */
const LOOP_RELOADS = 10;
const LOOP_MS = 10_000;

export interface WatchModeParts extends ReloadParts {
  /** Absolute paths of folders and single files. */
  readonly paths: readonly string[];
  /** Resolves when the extensions have been started for the first time. */
  readonly started: Promise<void>;
  say(text: string): void;
  fail(text: string): void;
}

/** Reloads the extensions when their sources change, between turns and never in one. Dispose it to stop. */
export class WatchMode implements Disposable {
  readonly #parts: WatchModeParts;
  readonly #watch: SourceWatch;
  readonly #changed = new Set<string>();
  /** When the last reloads began. */
  #reloadedAt: readonly number[] = [];
  #isWorking = false;
  #isOver = false;

  constructor(parts: WatchModeParts) {
    this.#parts = parts;
    const { paths, fail } = parts;
    this.#watch = new SourceWatch({ paths, fault: fail, changed: (names) => this.#take(names) });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#watch[Symbol.dispose]();
  }

  #take(names: readonly string[]): void {
    for (const name of names) this.#changed.add(name);
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work().finally(() => {
      this.#isWorking = false;
    });
  }

  /** What changes during a reload may have been read before: it is followed by another one. */
  async #work(): Promise<void> {
    const { agent, started, fail } = this.#parts;
    await started;
    while (this.#changed.size > 0) {
      while (agent.busy) await agent.settled();
      if (this.#isOver) return;
      if (this.#isLoop()) {
        fail(
          "watch mode is off: an extension seems to write its own sources whenever it starts; /reload-ext still works",
        );
        this[Symbol.dispose]();
        return;
      }
      const names = [...this.#changed];
      this.#changed.clear();
      await this.#reload(names);
    }
  }

  async #reload(names: readonly string[]): Promise<void> {
    const { say, fail } = this.#parts;
    const before = performance.now();
    try {
      const report = await reloadExtensions(this.#parts);
      if (this.#isOver) return;
      const line = `${changedText(names)} · ${reloadText(report)} · ${Math.round(performance.now() - before)} ms`;
      if (report.errors.length === 0) say(line);
      else fail(line);
    } catch (error) {
      fail(`${changedText(names)} · the reload failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #isLoop(): boolean {
    const now = performance.now();
    this.#reloadedAt = [...this.#reloadedAt, now].slice(-LOOP_RELOADS);
    const [first = now] = this.#reloadedAt;
    return this.#reloadedAt.length === LOOP_RELOADS && now - first < LOOP_MS;
  }
}

function changedText(names: readonly string[]): string {
  const [first = "something", ...others] = names;
  return others.length === 0 ? `${first} changed` : `${first} and ${others.length} more changed`;
}
