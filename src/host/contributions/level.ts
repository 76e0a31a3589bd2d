import type { NoteLevel } from "../ports.ts";
import { clip } from "./clip.ts";

const LEVEL_MAX_CHARS = 32;

/** A level as an extension wrote it: nothing means info, and unknown ones come through (extension-host.md §5.4). */
export function levelOf(text: string): NoteLevel {
  return text.trim() === "" ? "info" : clip(text, LEVEL_MAX_CHARS);
}
