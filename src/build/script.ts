import { BuildError } from "./error.ts";

/**
 * Runs the body of a build script and ends the process: 0, or 1 with the reason on stderr. It ends the process itself
 * because a child that was given up on may still hold a pipe, which would keep the event loop alive.
 */
export function script(body: () => Promise<void>): void {
  body().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(isForPeople(error) ? `error: ${error.message}` : error);
      process.exit(1);
    },
  );
}

/** Ours, or the system's (a full disk, a folder without write permission): the message tells all, a stack nothing. */
function isForPeople(error: unknown): error is Error {
  return error instanceof BuildError || (error instanceof Error && "code" in error && typeof error.code === "string");
}
