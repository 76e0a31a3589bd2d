/**
 * Every bound of the wire and of the host that serves it, with its source. Sizes in bytes, times in ms,
 * unless the name says otherwise.
 */

const KiB = 1024;
const MiB = 1024 * KiB;

/** One inbound frame, its LF included (zot-extensions.md "4 MiB"; extension-host.md §2.1). */
export const FRAME_MAX_BYTES = 4 * MiB;
/** One outbound frame; what we would refuse to read we do not write either. */
export const OUTBOUND_FRAME_MAX_BYTES = 4 * MiB;
/** Outbound queue of one extension (extension-host.md §2.1 [REQ]). */
export const OUTBOUND_QUEUE_MAX_FRAMES = 256;
export const OUTBOUND_QUEUE_MAX_BYTES = 16 * MiB;
/** A write that the child does not take for this long ends the connection (extension-host.md §2.1 [REQ]). */
export const WRITE_STALL_MS = 5_000;
/** How long a reader may decode before it lets timers and keys run (architecture.md rule 1). */
export const READ_YIELD_MS = 4;

/** From spawn to hello (extension-host.md §2.3 [REQ]). */
export const HELLO_DEADLINE_MS = 10_000;
/** The same for programs that compile or download on first use. */
export const HELLO_DEADLINE_SLOW_START_MS = 60_000;
/** EOF before hello: how long the process may take to end before it is killed (§2.3). */
export const EXIT_AFTER_EOF_MS = 1_000;
/** Silence after which an extension that never sends `ready` counts as ready (§2.5). */
export const AUTO_READY_IDLE_MS = 250;
/** From hello to ready at the latest (§2.5). */
export const READY_DEADLINE_MS = 3_000;

export const COMMAND_DEADLINE_MS = 30_000;
export const TOOL_DEADLINE_MS = 60_000;
export const INTERCEPT_DEADLINE_MS = 5_000;
/** An interceptor that misses this many deadlines in a row is named to the user (§4.5). */
export const INTERCEPT_MISSES_TO_WARN = 3;

/** stdout closed while the process lives: how long it may take to end by itself (§7.3). */
export const GONE_GRACE_MS = 250;

/** Stop sequence (§7.2 [REQ]): shutdown frame, EOF, then signals to the group. */
export const STOP_GRACE_MS = 2_000;
export const STOP_GRACE_ON_SIGNAL_MS = 500;
export const STOP_GRACE_DOCTOR_MS = 500;
export const STOP_WRITE_BUDGET_MS = 250;
export const TERM_TO_KILL_MS = 1_000;
/** SIGKILL to the end of a process; one that is still there is not ours to signal (sudo), or stuck in the kernel. */
export const KILL_TO_GONE_MS = 1_000;
/** How long a group may outlive its leader's exit before it is killed outright. */
export const ORPHAN_GROUP_GRACE_MS = 200;
/** After exit: how long stdout may stay open (a grandchild can hold it) before we stop reading (bun.md §4). */
export const EOF_AFTER_EXIT_MS = 250;
/** The same for a grandchild that goes on writing: by then all that the child itself had said has been read. */
export const EOF_AFTER_EXIT_MAX_MS = 2_000;

/** Doctor keeps this many diagnostics of one extension, each cut to this many characters (§1.7). */
export const DIAGNOSTICS_MAX = 100;
export const DIAGNOSTIC_MAX_CHARS = 2_048;
/** How much of a bad first line an error shows. */
export const BAD_LINE_PREVIEW_CHARS = 200;
/** A log larger than this is rotated when its extension starts (§1.7 [REQ]). */
export const LOG_ROTATE_BYTES = 1 * MiB;
/** A log that grows past this while its extension runs is emptied; its last MiB is put aside. */
export const LOG_RUNNING_MAX_BYTES = 64 * MiB;
/** How often a log is measured: what a child writes meanwhile comes on top, so half a GB a second must not pile up. */
export const LOG_CHECK_MS = 250;

/** Manifest file; anything larger is not a manifest. */
export const MANIFEST_MAX_BYTES = 1 * MiB;
/** Extension names end up in file names (§1.1 [L]). */
export const EXTENSION_NAME_MAX_BYTES = 64;
/** Registrations of one extension. */
export const COMMANDS_PER_EXTENSION_MAX = 500;
export const TOOLS_PER_EXTENSION_MAX = 500;
export const SUBSCRIPTIONS_PER_EXTENSION_MAX = 200;
/** Skills that one extension ships, and where they are looked for (§1.4; our decision). */
export const SKILLS_PER_EXTENSION_MAX = 200;
export const SKILL_FOLDERS_MAX = 2_000;
export const SKILL_DEPTH_MAX = 8;
/** One `SKILL.md`. What it says is for a model, which is given no more of it than of any tool result. */
export const SKILL_FILE_MAX_BYTES = 256 * KiB;
export const SKILL_NAME_MAX_CHARS = 64;
/** As much of a description as the list of skills shows. */
export const SKILL_DESCRIPTION_MAX_CHARS = 1_024;
/** Arrays and objects inside each other; what nobody can print must not get into a request (our decision). */
export const TOOL_SCHEMA_MAX_DEPTH = 100;
/** What providers accept as a tool name (§4.2). */
export const TOOL_NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Notes kept for a surface that is not attached yet (§2.2). */
export const NOTES_BEFORE_SURFACE_MAX = 64;
/** One note as shown (our decision: a note is a line, not a document). */
export const NOTE_MAX_CHARS = 8 * KiB;

/** All text of one tool result as the model gets it (§8.1). The transcript keeps more. */
export const TOOL_RESULT_MODEL_MAX_BYTES = 32 * KiB;
export const TOOL_RESULT_OMITTED = "[tool result content omitted]";
/** Blocks of one tool result; the rest is counted, not kept. */
export const TOOL_RESULT_MAX_BLOCKS = 1_000;
/** Hidden turn context of all extensions together (§3.3). */
export const TURN_CONTEXT_MAX_BYTES = 16 * KiB;
export const TURN_CONTEXT_TRUNCATED = "\n[extension context truncated]";

// What extensions show (chrome, panels, dialogs) and the additions of the wire.

/** Notes that a surface can still show (§5.4 [REQ]). */
export const NOTES_MAX = 100;
/** Alerts kept for a surface that is not attached yet (§2.2). */
export const ALERTS_BEFORE_SURFACE_MAX = 64;
/** Alerts of one extension come no closer than this (§5.6 [REQ]). */
export const ALERT_INTERVAL_MS = 1_000;
/** Statuses and widgets of one extension; a surface shows 6 and 12 rows (our decision: room to replace, not to pile up). */
export const STATUSES_PER_EXTENSION_MAX = 64;
export const WIDGETS_PER_EXTENSION_MAX = 64;
/** Lines of one widget; a surface shows 12 rows of all of them (§5.5). */
export const WIDGET_LINES_MAX = 100;
/** Keys and ids that an extension chooses: statuses, widgets, panels, dialogs. */
export const CHROME_KEY_MAX_CHARS = 256;
/** One line of chrome: a status, a title, a row of a widget or panel. Colours included, so more than any width. */
export const CHROME_LINE_MAX_CHARS = 4 * KiB;
/** Rows of a panel; it scrolls by itself (§5.3). */
export const PANEL_LINES_MAX = 5_000;
/** Characters of one paste into a panel; each is a frame of its own (§5.2). */
export const PANEL_PASTE_MAX_CHARS = 16 * KiB;
/** Prompts and slash commands kept for a surface that is not attached yet. */
export const SUBMITS_BEFORE_SURFACE_MAX = 16;
/** One text that an extension submits or puts into the editor; longer ones are refused, since half a prompt is another prompt. */
export const SUBMIT_MAX_CHARS = 1 * MiB;

/** Open dialogs of one extension (our decision: nobody answers more). */
export const DIALOGS_PER_EXTENSION_MAX = 64;
/** Longer than this is no dialog but a document; it is refused rather than cut, since answers name their options. */
export const DIALOG_TEXT_MAX_CHARS = 64 * KiB;
export const DIALOG_PREFILL_MAX_CHARS = 1 * MiB;
export const DIALOG_OPTIONS_MAX = 1_000;
export const DIALOG_OPTION_MAX_CHARS = 4 * KiB;
export const DIALOG_QUESTIONS_MAX = 20;
/** The longest delay that a timer can have, 24 days; a longer one counts as this. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** One link that an extension asks to open. */
export const URL_MAX_CHARS = 8 * KiB;
/** One request for a URI of an extension; like a tool call. */
export const URI_DEADLINE_MS = 60_000;
export const URI_SCHEMES_PER_EXTENSION_MAX = 32;
export const URI_SCHEME_PATTERN = /^[a-z][a-z0-9+.-]{0,63}$/;
export const URI_NOTES_MAX = 20;
/** One `log` frame in the log file; its message is cut and its data left out beyond that. */
export const LOG_ENTRY_MAX_CHARS = 64 * KiB;

/** A replaced system prompt, as encoded JSON with its quotes and escapes (zot-extensions.md, extension-host.md §3.3). */
export const SYSTEM_PROMPT_MAX_BYTES = 1024 * 1024;

// Sessions on disk (extension-host.md §6).

/** One state snapshot of one extension; a larger one is not stored (§6.3). */
export const SESSION_STATE_MAX_BYTES = 262_144;
/** One row. Ours: room for every image of a message, and far below the longest string that the runtime can hold. */
export const SESSION_ROW_MAX_BYTES = 256 * MiB;
/** Raw JSON inside a row. The reader of zut refuses a whole session at 10,000 levels; a row adds a few of its own. */
export const SESSION_JSON_MAX_DEPTH = 9_000;
/** What a listing reads of a file: this much from its start and this much from its end. */
export const SESSION_HEAD_BYTES = 64 * KiB;
export const SESSION_TAIL_BYTES = 64 * KiB;
/** … and this much when its first row, which holds the id, is longer than that (a history of goals). */
export const SESSION_FIRST_ROW_MAX_BYTES = 1 * MiB;
/** A listing shows the newest of them. */
export const SESSIONS_LISTED_MAX = 1_000;
export const SESSION_TITLE_MAX_CHARS = 200;
/** Titles that a model wrote (§6.3). */
export const SESSION_GENERATED_TITLE_MAX_CHARS = 40;
/** Damaged lines that a warning names one by one. */
export const SESSION_DAMAGE_NAMED_MAX = 10;
/** How long a lock that another process holds is waited for: whoever only tidies up holds it for a moment. */
export const SESSION_LOCK_WAIT_MS = 100;
/** Locks of dead processes removed each time a session is opened. */
export const SESSION_SWEEP_MAX = 64;
