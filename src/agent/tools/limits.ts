/**
 * The bounds of the built-in tools. Bytes are UTF-8 bytes, times are ms; sources are extension-host.md §3.3 and §8.1
 * unless a comment says otherwise.
 */

/** What one tool result may hold on its way to the provider. */
export const MODEL_TEXT_MAX_BYTES = 32 * 1024;

export const READ_MAX_LINES = 2000;
export const READ_MAX_BYTES = 51_200;
/** A NUL within this many bytes makes a file binary. */
export const BINARY_PROBE_BYTES = 8 * 1024;
/** Ours: beyond this providers refuse the image, and the whole conversation with it. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;

/** Ours: an edit holds the file, its match text and both sides of the diff in memory. */
export const EDIT_MAX_BYTES = 32 * 1024 * 1024;
/** Ours: how long the diff of an edit may be searched for; the edit itself is already safe on disk by then. */
export const DIFF_MAX_MS = 250;

/**
 * Ours, instead of one cut at 50 KiB (extension-host.md §9.3 BUG-45): head, tail, echoed command and status together
 * stay below MODEL_TEXT_MAX_BYTES, so that the provider cap cannot cut away the tail and the exit status again.
 */
export const BASH_WINDOW = { headBytes: 10 * 1024, headLines: 700, tailBytes: 18 * 1024, tailLines: 1300 } as const;
export const BASH_ECHO_MAX_BYTES = 2 * 1024;
/** Ours: `yes` without a timeout must not fill the disk. */
export const SPOOL_MAX_BYTES = 1024 * 1024 * 1024;

/** After the shell has exited: time for `> >(tee log)` and the like to finish by themselves. */
export const BACKGROUND_GRACE_MS = 300;
/** After the shell has exited: from SIGTERM to SIGKILL for what it left behind. */
export const BACKGROUND_TERM_MS = 250;
/** On cancel or timeout: from SIGTERM to SIGKILL. */
export const STOP_TERM_MS = 1000;
/** After SIGKILL: until we stop waiting for the end of the output. */
export const STOP_KILL_MS = 500;
/** For the last of the output after all that; with the times above it keeps a stop within the 5 s of §8.1. */
export const DRAIN_MAX_MS = 3000;
