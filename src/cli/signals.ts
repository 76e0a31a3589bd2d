import { constants } from "node:os";

// SIGQUIT (Ctrl-\ on a terminal) would otherwise end us without our exit hook, and leave every extension behind.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
export type EndSignal = (typeof SIGNALS)[number];

/** The status of a process that a signal ended: 130, 143, 129 or 131 (cli.md). */
export function exitStatusOf(signal: EndSignal): number {
  return 128 + (constants.signals[signal] ?? 0);
}

/** What Ctrl-C and Ctrl-\ on the terminal send to everybody there, whoever of them was meant. */
const KEYS: ReadonlySet<EndSignal> = new Set(["SIGINT", "SIGQUIT"]);

/**
 * Calls `onSignal` with the first signal that asks us to end. A second one does not wait for the clean end any more;
 * the exit hook of the process groups still runs.
 *
 * @param keysAreForOthers whether another program has the terminal, whose keys are then none of our business
 */
export function onEndSignal(onSignal: (signal: EndSignal) => void, keysAreForOthers = () => false): Disposable {
  let asked = false;
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => {
      if (KEYS.has(signal) && keysAreForOthers()) return;
      if (asked) process.exit(exitStatusOf(signal));
      asked = true;
      onSignal(signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return {
    [Symbol.dispose]: () => {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    },
  };
}
