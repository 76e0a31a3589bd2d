import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The last `maxBytes` of a file as text, and whether there is more before them. Throws the error of the file system. */
export function fileEnd(path: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.subarray(0, read).toString("utf8"), isCut: size > bytes.length };
  } finally {
    closeSync(fd);
  }
}
