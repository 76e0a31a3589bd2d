import type { StreamInspector } from "./inspector.ts";
import type { SseEvent } from "./sse.ts";

/** A protocol that only the library knows: its events pass as they are, and the library judges their end. */
export class OtherInspector implements StreamInspector {
  readonly answered = false;
  readonly finished = false;
  /** The library says 0 where nothing was said; the field's name tells which. */
  countsReasoning = false;
  readonly knowsEnd = false;
  readonly repeatedArguments: ReadonlyMap<string, string> = new Map();

  inspect(event: SseEvent): readonly SseEvent[] {
    if (/"(?:thoughtsTokenCount|reasoning_tokens)"/.test(event.data)) this.countsReasoning = true;
    return [event];
  }
}
