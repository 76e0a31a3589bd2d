/** What the host asks of those above it. The host imports neither the agent nor any surface. */

export type NoteLevel = "info" | "success" | "warn" | "error" | (string & {});

/** A one-shot line for a human (extension-host.md §5.4). */
export interface Note {
  /** Manifest name of the extension it is from. */
  readonly extension: string;
  readonly level: NoteLevel;
  readonly message: string;
}

/** Where the host shows itself. */
export interface Surface {
  /** Whether a human is there to answer: decides if `interactive` tools may run (§4.2). */
  readonly interactive: boolean;
  note(note: Note): void;
  /** Withdraws every note of one extension. */
  clearNotes(extension: string): void;
}
