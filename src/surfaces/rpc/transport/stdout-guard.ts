/**
 * Sends whatever is printed in this process to stderr, so that stdout carries frames and nothing else, whatever a
 * library says. Frames have their own way out (`FrameOutput`). Undone by dispose, for tests in one process.
 */
export function guardStdout(): Disposable {
  const { log, info, debug, table, dir, dirxml, group, groupCollapsed } = console;
  const error = console.error.bind(console);
  Object.assign(console, { log: error, info: error, debug: error, dir: error, dirxml: error, table: error });
  Object.assign(console, { group: error, groupCollapsed: error });
  const stdout = Object.getOwnPropertyDescriptor(process, "stdout");
  // A getter, since touching either stream loads the whole stream library (bun.md §2).
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
  return {
    [Symbol.dispose]: () => {
      Object.assign(console, { log, info, debug, table, dir, dirxml, group, groupCollapsed });
      if (stdout !== undefined) Object.defineProperty(process, "stdout", stdout);
    },
  };
}
