import type { ScriptedCall, Turn } from "./turn.ts";

/** A call with everything decided that a turn may leave open. */
export interface ReadyCall {
  readonly name: unknown;
  readonly id: unknown;
  readonly index: number | null;
  /** The arguments in the pieces in which they are sent; empty when none are sent. */
  readonly fragments: readonly string[];
}

/** The calls of a turn, ready to be sent. `mint` gives an unused id. */
export function readyCalls(turn: Turn, mint: () => string): ReadyCall[] {
  return (turn.calls ?? []).map((call, position) => ({
    name: call.name,
    id: call.id === undefined ? mint() : call.id,
    index: call.index === undefined ? position : call.index,
    fragments: fragmentsOf(call),
  }));
}

function fragmentsOf(call: ScriptedCall): string[] {
  if (call.raw === null) return [];
  const text = call.raw ?? JSON.stringify(call.args ?? {});
  if (call.fragment === undefined || text === "") return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += call.fragment) {
    pieces.push(text.slice(start, start + call.fragment));
  }
  return pieces;
}

/** The text deltas of a turn. */
export function textsOf(turn: Turn): readonly string[] {
  if (turn.text === undefined) return [];
  return typeof turn.text === "string" ? [turn.text] : turn.text;
}
