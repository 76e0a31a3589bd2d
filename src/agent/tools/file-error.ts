const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file or directory"],
  ["EACCES", "permission denied"],
  ["EPERM", "operation not permitted"],
  ["EROFS", "read-only file system"],
  ["ENOSPC", "no space left on device"],
  ["EDQUOT", "disk quota exceeded"],
  ["EISDIR", "is a directory"],
  ["ENOTDIR", "a part of the path is not a directory"],
  ["EEXIST", "a file is in the way"],
  ["ENAMETOOLONG", "file name too long"],
  ["ELOOP", "too many levels of symbolic links"],
  ["EMFILE", "too many open files"],
  ["ENFILE", "too many open files on this machine"],
  ["EBUSY", "file is in use"],
  ["EFBIG", "file too large"],
  ["EIO", "input/output error"],
  ["ETXTBSY", "program is running"],
  ["EAGAIN", "nothing to read at the moment"],
  ["E2BIG", "argument list too long"],
  ["ERR_INVALID_ARG_VALUE", "contains a NUL character"],
]);

/** The system's code of an error, such as `ENOENT`; `""` when it carries none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** The reason of a failed system call in words, without path or stack. */
export function failureReason(error: unknown): string {
  const known = REASONS.get(errorCode(error));
  if (known !== undefined) return known;
  return error instanceof Error ? error.message : String(error);
}

/** The one text that the model sees when a file operation failed; `path` as the model wrote it. */
export function fileError(path: string, error: unknown): string {
  return `${path}: ${failureReason(error)}`;
}
