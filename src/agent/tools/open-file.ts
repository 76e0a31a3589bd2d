import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * Opens a file to read without ever waiting for it: a plain open of a named pipe blocks until somebody writes. Asking
 * the open handle what it is, instead of the path before, leaves no gap in between. Throws the file system's errors.
 */
export function openForReading(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}
