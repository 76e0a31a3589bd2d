import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { LOG_ROTATE_BYTES } from "../../wire/limits.ts";

/** Neither is a link followed, nor the other end of a named pipe waited for. */
const GUARDS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Copies the last MiB of the open log `fd` to `<path>.1`, in place of the one before. False when `path` is another
 * file by now: a second zot has put this one aside. Throws the error of the system.
 */
export function keepTail(path: string, fd: number): boolean {
  // The log's own descriptor is the child's too, and is for writing alone.
  const from = openSync(path, constants.O_RDONLY | GUARDS);
  try {
    const { ino, dev, size } = fstatSync(from);
    const ours = fstatSync(fd);
    if (ino !== ours.ino || dev !== ours.dev) return false;
    const tail = Buffer.alloc(Math.min(size, LOG_ROTATE_BYTES));
    const length = readSync(from, tail, 0, tail.length, size - tail.length);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | GUARDS;
    const to = openSync(`${path}.1`, flags, 0o600);
    try {
      writeSync(to, tail.subarray(0, length));
    } finally {
      closeSync(to);
    }
    return true;
  } finally {
    closeSync(from);
  }
}
