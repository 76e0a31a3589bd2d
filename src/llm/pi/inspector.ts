import type { SseEvent } from "./sse.ts";

/**
 * Reads the events of one answer before the library does: mends what compatible servers get wrong, and knows for certain how
 * the answer ended, which the library tells only in words.
 */
export interface StreamInspector {
  /** The events to hand on, mended. Throws `LlmError` for an error that the service reports. */
  inspect(event: SseEvent): readonly SseEvent[];
  /** The model's answer is complete: an end or a reset of the connection does no harm any more. */
  readonly answered: boolean;
  /** Nothing can follow: the connection need not be kept. */
  readonly finished: boolean;
  /** The service told how many tokens went into reasoning. */
  readonly countsReasoning: boolean;
  /** True when this inspector knows the end of the protocol, so that an end without it is a cut. */
  readonly knowsEnd: boolean;
  /** The arguments as the service repeated them at the end of a call, by call id; for protocols that do. */
  readonly repeatedArguments: ReadonlyMap<string, string>;
}

/** Reads a field of a value that came off the wire; undefined when there is no such thing. */
export function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

/** Parses an event's data; undefined when it is not JSON. */
export function payloadOf(event: SseEvent): unknown {
  try {
    return JSON.parse(event.data);
  } catch {
    // The caller decides: a named foreign event is ignored, an unnamed one is a fault of the service.
    return undefined;
  }
}
