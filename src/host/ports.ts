import type { Dialog, DialogAnswer } from "./dialog.ts";
import type { Owner } from "./owner.ts";

/** What the host asks of those above it. The host imports neither the agent nor any surface. */

export type NoteLevel = "info" | "success" | "warn" | "error" | (string & {});

/** A one-shot line for a human (extension-host.md §5.4). */
export interface Note extends Owner {
  readonly level: NoteLevel;
  readonly message: string;
}

/** A line that stays until it is cleared, known by extension and key (§5.5). */
export interface Status extends Owner {
  readonly key: string;
  readonly level: NoteLevel;
  readonly text: string;
}

/** A block that stays until it is cleared, known by extension and id (§5.5). */
export interface Widget extends Owner {
  readonly id: string;
  /** Whatever the extension asked for. */
  readonly position: "above_input";
  readonly title: string;
  readonly lines: readonly string[];
}

/** Only the kind `bell` means something to a terminal (§5.6). */
export interface Alert extends Owner {
  readonly kind: string;
  readonly reason: string;
}

/** The panel in the one slot there is (§5.1). */
export interface Panel extends Owner {
  readonly id: string;
  /** Never empty: the extension's name stands in. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly footer: string;
}

/** An http(s) page that a human should visit. */
export interface Link extends Owner {
  readonly url: string;
  /** A short redirect to `url`, the better one to copy. */
  readonly launchUrl?: string;
  readonly instructions: string;
}

/** What a surface says at once to whatever it is given: it is dealt with, or this surface has no way to. */
export type Support = "done" | "unsupported";

/**
 * Where the host shows itself. It holds no state for the host: notes, statuses, widgets, the panel and open dialogs
 * are kept by the host's rooms, so a surface may draw from those and take these calls as the sign that they changed.
 * Text comes as the extension sent it, escape sequences included; what is drawn must be made harmless first
 * (architecture.md rule 7). None of these may throw.
 */
export interface Surface {
  /** Whether a human is there to answer: decides if `interactive` tools may run (§4.2). */
  readonly interactive: boolean;
  note(note: Note): Support;
  /** Notes of one extension were withdrawn. */
  clearNotes(extension: string): Support;
  /** Set or replaced. */
  status(status: Status): Support;
  clearStatus(extension: string, key: string): Support;
  /** Set or replaced. */
  widget(widget: Widget): Support;
  clearWidget(extension: string, id: string): Support;
  /** Notes, statuses and widgets of one extension are gone, because its process is. */
  clearChrome(extension: string): Support;
  /** At most one a second from one extension. Unknown kinds come through. */
  alert(alert: Alert): Support;
  /** Takes the slot and the focus; opened again, it is a refresh. */
  openPanel(panel: Panel): Support;
  renderPanel(panel: Panel): Support;
  /** Told of every end of a panel, whoever closed it. */
  closePanel(panel: Panel): Support;
  /**
   * Asks a human. `signal` aborts when nobody waits for the answer any more: the dialog has to go, and an answer that
   * still comes is ignored. Several may be open at once.
   */
  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer> | "unsupported";
  openUrl(link: Link): Support;
}

/** Text on its way from an extension to the editor, the queue of prompts or the window. */
export interface Submission extends Owner {
  readonly text: string;
}

/** A slash command on its way from an extension; `args` is trimmed, blanks within are kept. */
export interface SlashSubmission extends Owner {
  /** Without the slash, as it was written. */
  readonly name: string;
  readonly args: string;
}

/** Takes what an extension would have typed (§5.7). None of these may throw. */
export interface Submitter {
  /** A prompt, queued behind a running turn like typed text. Literal: a leading `!` or `/` means nothing. */
  submit(prompt: Submission): Support;
  /** A command that the host allows extensions to run. */
  submitSlash(command: SlashSubmission): Support;
  /** Inserted at the cursor; what is in the editor stays. */
  insert(text: Submission): Support;
  /** Replaces what is in the editor. */
  setEditorText(text: Submission): Support;
  /** The title of the window. */
  setTitle(title: Submission): Support;
}

/** What is attached to the host: one object that shows and takes. */
export type AttachedSurface = Surface & Submitter;
