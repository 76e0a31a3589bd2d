/** Bounds of `zot ext`, all our own decisions. Sizes in bytes, times in ms. */

const MiB = 1024 * 1024;

/** A source tree with more than this in it is a mistake, such as a home directory. */
export const INSTALL_MAX_ENTRIES = 200_000;
export const INSTALL_MAX_BYTES = 2048 * MiB;
/** How many skipped files an installation names; the rest is counted. */
export const NAMED_PATHS_MAX = 10;

/** A whole clone with its submodules. */
export const CLONE_DEADLINE_MS = 15 * 60_000;
/** A question to git about files that are here. */
export const GIT_QUERY_DEADLINE_MS = 60_000;
/** An HTTP transfer slower than this many bytes a second, for that many seconds, is given up by git. */
export const GIT_LOW_SPEED_BYTES = 1_000;
export const GIT_LOW_SPEED_SECONDS = 30;
/** What git says on stdout; a list of ignored files longer than this is not worth having. */
export const GIT_STDOUT_MAX_BYTES = 16 * MiB;
/** The end of what git says on stderr, for an error text. */
export const GIT_STDERR_KEPT_CHARS = 4_096;
/** After git's exit: how long something that it started may hold its pipes open. */
export const GIT_EOF_AFTER_EXIT_MS = 250;

/** A staging directory older than this was left behind by a run that was killed. */
export const STALE_STAGING_MS = 24 * 60 * 60_000;

/** How often `zot ext logs -f` looks at the file. */
export const LOG_POLL_MS = 200;
export const LOG_CHUNK_BYTES = 64 * 1024;
