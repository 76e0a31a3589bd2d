/** Bounds of the client. Sizes in bytes, times in ms. */

/** One frame, put together from its chunks; what `ready` promises at most. */
export const FRAME_MAX_BYTES = 64 * 1024 * 1024;
/** A frame is split only when it is longer than a line may be. */
export const CHUNKED_MIN_BYTES = 1024 * 1024 - 1;
export const CHUNK_MAX_BYTES = 256 * 1024;
export const CHUNKS_MAX = 256;
export const CHUNK_ID_MAX_CHARS = 128;

/** From spawn to `ready`. */
export const READY_DEADLINE_MS = 30_000;
/** From a command to its response. */
export const COMMAND_DEADLINE_MS = 30_000;
/** From closing zot's stdin to its end; then it is told to end, and killed when it does not. */
export const CLOSE_DEADLINE_MS = 10_000;
export const KILL_AFTER_MS = 5_000;
/** Events that wait for one reader. */
export const EVENTS_WAITING_MAX = 10_000;
/** The end of stderr that a start failure shows. */
export const STDERR_MAX_CHARS = 8 * 1024;
