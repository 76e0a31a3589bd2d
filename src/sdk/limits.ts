/** Every bound of the SDK. Sizes in bytes, times in ms, unless the name says otherwise. */

const KiB = 1024;
const MiB = 1024 * KiB;

/** One frame to the host, its LF included; the host disconnects on a longer one (extension-host.md §2.1). */
export const FRAME_MAX_BYTES = 4 * MiB;
/** One frame from the host. The host never queues more than this for one extension, so nothing longer is meant for us. */
export const INBOUND_FRAME_MAX_BYTES = 16 * MiB;
/** What may wait for a host that does not read; beyond it one-way frames are dropped, answers are not. UTF-16 units. */
export const OUTBOUND_QUEUE_MAX_CHARS = 16 * MiB;
/** How much is handed to the operating system at once, a longer single frame aside. UTF-16 units. */
export const WRITE_BATCH_MAX_CHARS = 64 * KiB;
/** Frames sent before `hello_ack`, which have to wait for it. */
export const HELD_FRAMES_MAX = 256;
/** How long frames may be decoded before timers and other work get a turn. */
export const READ_YIELD_MS = 4;

/** From hello to hello_ack. A host answers at once; whoever started this by hand learns what is missing. */
export const HELLO_ACK_DEADLINE_MS = 30_000;
/** For one `onHello` handler; the host itself waits 3 s for ready (extension-host.md §2.5). */
export const ON_HELLO_DEADLINE_MS = 10_000;
/** For all `onShutdown` handlers together; the host sends SIGTERM 2 s after `shutdown` (extension-host.md §7.2). */
export const SHUTDOWN_DEADLINE_MS = 1_500;
/** How long handlers that are still at work may take to end once the host is gone. */
export const SETTLE_DEADLINE_MS = 250;
/** For the last bytes to leave the process. */
export const FLUSH_DEADLINE_MS = 10_000;

/** What the host keeps of one `details` (extension-host.md §6.3). */
export const STATE_MAX_BYTES = 256 * KiB;
/** The longest delay that a timer can have, 24 days. */
export const TIMER_MAX_MS = 2 ** 31 - 1;
/** Open dialogs of one extension. */
export const DIALOGS_MAX = 64;
/** Faults that one error text about wrong tool arguments names. */
export const ARGUMENT_FAULTS_MAX = 5;
/** How much of a thrown error reaches the host. */
export const ERROR_TEXT_MAX_CHARS = 8_192;
/** How much of a bad frame the log shows. */
export const LINE_PREVIEW_CHARS = 200;
/** How much of a wrong value an error text shows. */
export const VALUE_PREVIEW_CHARS = 60;
