/** Something that was asked of the host and has to come to exactly one end. */
export interface Asked {
  readonly what: string;
  /** Begins with 1. */
  readonly number: number;
  readonly abort: AbortController;
  /** Whether it may wait for a human, without a deadline. */
  readonly mayWait: boolean;
  hasEnded: boolean;
}

/** Everything that was asked of a host, and everything that it did wrong. */
export class Ledger {
  readonly asked: Asked[] = [];
  readonly faults: string[] = [];

  /** Enters what `run` asks. Its promise must not reject; `onEnd` is told what it gives. */
  enter<T>(
    what: string,
    mayWait: boolean,
    run: (asked: Asked) => Promise<T>,
    onEnd: (asked: Asked, result: T) => void,
  ): Asked {
    const number = this.asked.length + 1;
    const asked: Asked = { what: `${number} ${what}`, number, abort: new AbortController(), mayWait, hasEnded: false };
    this.asked.push(asked);
    run(asked).then(
      (result) => {
        asked.hasEnded = true;
        onEnd(asked, result);
      },
      (error: unknown) => {
        asked.hasEnded = true;
        this.blame(`${asked.what} rejected: ${stackOf(error)}`);
      },
    );
    return asked;
  }

  blame(fault: string): void {
    this.faults.push(fault);
  }

  /** Throws when there is any fault. */
  close(): void {
    if (this.faults.length > 0) throw new Error(this.faults.join("\n"));
  }
}

export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
