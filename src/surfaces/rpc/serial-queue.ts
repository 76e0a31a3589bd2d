/** Runs jobs one after the other, in the order in which they came, once it has been opened. */
export class SerialQueue {
  readonly #limit: number;
  readonly #onDefect: (error: unknown) => void;
  #jobs: (() => Promise<void> | undefined)[] = [];
  #running: Promise<void> | undefined;
  #isOpen: boolean;
  #room = Promise.withResolvers<void>();

  /**
   * @param limit jobs that may wait at once
   * @param onDefect told when a job rejects, which none should; the next one runs all the same
   */
  constructor(limit: number, options: { readonly open: boolean; readonly onDefect: (error: unknown) => void }) {
    this.#limit = limit;
    this.#isOpen = options.open;
    this.#onDefect = options.onDefect;
  }

  get isFull(): boolean {
    return this.#jobs.length >= this.#limit;
  }

  add(job: () => Promise<void> | undefined): void {
    this.#jobs.push(job);
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
    this.#makeRoom();
  }

  /** Resolves when fewer than the limit wait. */
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
      try {
        await job();
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
