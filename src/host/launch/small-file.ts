import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The text of a regular file of at most `maxBytes`. Throws the file system's error, or one that says what else is wrong.
 * Never waits: a plain open of a named pipe blocks until somebody writes, and with it everything that we do.
 */
export function readSmallFile(path: string, maxBytes: number): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("not a regular file");
    if (stat.size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
