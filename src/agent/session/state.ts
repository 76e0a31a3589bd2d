import { SESSION_JSON_MAX_DEPTH, SESSION_STATE_MAX_BYTES } from "../../wire/limits.ts";
import { nestingDepth, type RawJson } from "../../wire/raw-json.ts";

/** Whether a state snapshot may become a row: neither too large (extension-host.md §6.3) nor nested too deeply. */
export function isStorable(state: RawJson): boolean {
  return fits(state) && nestingDepth(state.text) <= SESSION_JSON_MAX_DEPTH;
}

/** Whether a reader takes the state of a row; others ignore larger ones, too. */
export function fits(state: RawJson): boolean {
  return Buffer.byteLength(state.text) <= SESSION_STATE_MAX_BYTES;
}
