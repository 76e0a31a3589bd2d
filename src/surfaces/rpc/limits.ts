/** Bounds of the rpc surface, with their source. Sizes in bytes, times in ms, unless the name says otherwise. */

const KiB = 1024;
const MiB = 1024 * KiB;

/** One physical line of the omp wire, its LF included (rpc-wire.md §1.2). */
export const MAX_FRAME_BYTES = 1 * MiB;
/** One logical frame after reassembly (§1.2). */
export const MAX_REASSEMBLED_BYTES = 64 * MiB;
/** What one `rpc_chunk` carries before base64 (§1.4). */
export const CHUNK_BYTES = 256 * KiB;
/** Id and command name in an answer that did not fit otherwise (§1.5). */
export const OVERFLOW_ECHO_CHARS = 1_024;

/** One line from the client: the omp wire names no limit, so nothing that could still be a frame is refused. */
export const OMP_LINE_MAX_BYTES = 64 * MiB;
/** The same on the zot wire (extension-host.md §3.3). */
export const ZOT_LINE_MAX_BYTES = 16 * MiB;

/** Output kept in memory for a reader that is behind; what is more goes to a private file (rpc-wire.md §1.8). */
export const OUTPUT_MEMORY_CHARS = 1 * MiB;
/** What one write hands to the kernel, and one read takes from the spill file. */
export const OUTPUT_BATCH_BYTES = 64 * KiB;
/** A reader this far behind is not coming back (our decision: a disk is finite too). */
export const OUTPUT_SPILL_MAX_BYTES = 4 * KiB * MiB;
/** How long output is still delivered once a signal has asked us to end. */
export const OUTPUT_ON_SIGNAL_MS = 500;

/** Commands that may wait for the one before them; then reading pauses (our decision). */
const COMMANDS_WAITING_MAX = 1_000;
/** Extension events kept until a client has shown its token; newer ones are dropped (extension-host.md §3.3). */
export const EVENTS_BEFORE_AUTH_MAX = 64;
/** Pictures of one prompt: what services take in one request. */
export const PROMPT_IMAGES_MAX = 100;
/** Shell commands of a client that run at once (our decision). */
export const BASH_RUNNING_MAX = 32;
/** Characters of all commands that wait together; then reading pauses. */
const COMMANDS_WAITING_MAX_CHARS = 64 * MiB;
export const COMMAND_LIMITS = { jobs: COMMANDS_WAITING_MAX, weight: COMMANDS_WAITING_MAX_CHARS } as const;
/** Side questions that are kept (our decision: they are small talk). */
export const SIDE_QUESTIONS_MAX = 100;
/** One page of messages, in bytes, unless a single message is larger (rpc-wire.md §2, `get_messages_page`). */
export const PAGE_MAX_BYTES = 768 * KiB;
export const PAGE_MAX_MESSAGES = 256;
export const PAGE_DEFAULT_MESSAGES = 100;
/** How long a key may be waited for (rpc-wire.md §2, `login`). */
export const LOGIN_DEADLINE_MS = 600_000;
