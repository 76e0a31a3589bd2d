/** How much may wait before the queue is full. */
export interface QueueLimits {
  readonly jobs: number;
  /** In the unit of the weights that jobs are given. */
  readonly weight: number;
}

/** Runs jobs one after the other, in the order in which they came, once it has been opened. */
export class SerialQueue {
  readonly #limits: QueueLimits;
  readonly #onDefect: (error: unknown) => void;
  #jobs: { readonly run: () => Promise<void> | undefined; readonly weight: number }[] = [];
  #weight = 0;
  #running: Promise<void> | undefined;
  #isOpen: boolean;
  #room = Promise.withResolvers<void>();

  /** @param options.onDefect told when a job rejects, which none should; the next one runs all the same */
  constructor(limits: QueueLimits, options: { readonly open: boolean; readonly onDefect: (error: unknown) => void }) {
    this.#limits = limits;
    this.#isOpen = options.open;
    this.#onDefect = options.onDefect;
  }

  get isFull(): boolean {
    return this.#jobs.length >= this.#limits.jobs || this.#weight >= this.#limits.weight;
  }

  /** @param weight what it holds while it waits */
  add(run: () => Promise<void> | undefined, weight = 0): void {
    this.#jobs.push({ run, weight });
    this.#weight += weight;
    if (this.#isOpen) this.#running ??= this.#run();
  }

  /** Lets jobs run from now on. */
  open(): void {
    this.#isOpen = true;
    if (this.#jobs.length > 0) this.#running ??= this.#run();
  }

  /** Forgets the jobs that have not begun. */
  clear(): void {
    this.#jobs = [];
    this.#weight = 0;
    this.#makeRoom();
  }

  /** Resolves when it is not full any more. */
  async room(): Promise<void> {
    while (this.isFull) await this.#room.promise;
  }

  /** Resolves when no job is left. */
  async idle(): Promise<void> {
    while (this.#running !== undefined || this.#jobs.length > 0) await (this.#running ?? this.#room.promise);
  }

  async #run(): Promise<void> {
    await Promise.resolve();
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      this.#weight -= job.weight;
      try {
        await job.run();
      } catch (error) {
        this.#onDefect(error);
      }
      this.#makeRoom();
    }
    this.#running = undefined;
  }

  #makeRoom(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
  }
}
