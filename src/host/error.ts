/** The one error class of this floor. The text is what the user reads, after the extension's directory. */
export class HostError extends Error {
  readonly code: "manifest" | "log" | "spawn" | "handshake" | "stopped";

  constructor(code: HostError["code"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "HostError";
    this.code = code;
  }
}

/** An operating system error in the words people know: `no such file or directory`. */
export function systemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return SYSTEM_TEXTS[code] ?? error.message.replace(/^[A-Z0-9]+: /, "");
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOTDIR: "not a directory",
  EISDIR: "is a directory",
  ENOEXEC: "exec format error",
  ELOOP: "too many levels of symbolic links",
  EROFS: "read-only file system",
  ENOSPC: "no space left on device",
  EMFILE: "too many open files",
  ENXIO: "not a regular file",
  E2BIG: "argument list too long",
};
