/** Where deadlines take their time from: the system's clock, or one that is moved by hand. */
export interface Timers {
  /** ms on a clock that never goes back. */
  now(): number;
  /** Calls `expire` once after `ms`; dispose the result to call it off. */
  start(ms: number, expire: () => void): Disposable;
}

/** The clock that everybody else has, too. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  start(ms, expire) {
    const timer = setTimeout(expire, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
