/**
 * Sends everything that console prints to stderr. stdout carries frames, and one stray line of a library there is
 * enough to break the conversation with the host.
 */
export function consoleToStderr(): void {
  const { error } = console;
  const print = (...items: unknown[]): void => error(...items);
  const counts = new Map<string, number>();
  console.log = print;
  console.info = print;
  console.debug = print;
  console.dirxml = print;
  console.group = print;
  console.groupCollapsed = print;
  // The further parameters of these two are options, not things to print.
  console.dir = (item?: unknown): void => error(item);
  console.table = (rows?: unknown): void => error(rows);
  console.trace = (...items: unknown[]): void => error(...items, new Error("trace").stack);
  console.count = (label = "default"): void => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    error(`${label}: ${count}`);
  };
  console.countReset = (label = "default"): void => {
    counts.delete(label);
  };
}
