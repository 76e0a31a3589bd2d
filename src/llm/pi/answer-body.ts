import { LlmError } from "../error.ts";
import type { StreamInspector } from "./inspector.ts";
import { cutError, notAnAnswer, type Service } from "./service-error.ts";
import type { SilenceWatch } from "./silence.ts";
import { encodeSse, SseDecoder, type SseEvent } from "./sse.ts";

/** Bytes of one whole answer. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Bytes read of a body that is an error, not an answer. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Silence, in ms, after which the rest of such a body is given up. */
const ERROR_BODY_MS = 2_000;

/** The part of a stream reader that is used here. */
export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

export interface AnswerBodyOptions {
  readonly service: Service;
  readonly inspector: StreamInspector;
  readonly silence: SilenceWatch;
}

/** The beginning of a body that is no answer, as text; what cannot be read of it is left out. */
export async function errorBody(reader: ByteReader, silence: SilenceWatch, first?: Uint8Array): Promise<string> {
  const chunks = first === undefined ? [] : [first];
  let size = first?.byteLength ?? 0;
  try {
    while (size < MAX_ERROR_BYTES) {
      const { value, done } = await silence.during(() => reader.read(), ERROR_BODY_MS);
      if (done || value === undefined) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch {
    // What came before it is the error; a body that breaks off adds nothing.
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, MAX_ERROR_BYTES);
}

/**
 * The events of an answer as the inspector lets them through, spelled plainly. Ends when the answer is complete, whether or
 * not the service closes the connection. Throws `LlmError` for an error inside the answer and for an end that came too early;
 * errors of `reader` pass through.
 */
export async function* answerPieces(reader: ByteReader, options: AnswerBodyOptions): AsyncGenerator<string, void> {
  const { inspector, service } = options;
  const decoder = new SseDecoder();
  let size = 0;
  for (;;) {
    const chunk = await nextChunk(reader, options);
    if (size === 0 && chunk !== undefined && !looksLikeEvents(chunk)) {
      throw notAnAnswer(service, await errorBody(reader, options.silence, chunk));
    }
    size += chunk?.byteLength ?? 0;
    if (size > MAX_ANSWER_BYTES) throw new LlmError("server", `${service.provider} sent an answer without end`);
    const text = inspected(inspector, chunk === undefined ? decoder.end().filter(isWhole) : decoder.push(chunk));
    if (text !== "") yield text;
    if (inspector.finished) return;
    if (chunk === undefined) break;
  }
  if (inspector.knowsEnd && !inspector.answered) throw cutError(service, "the connection closed before its end");
}

/** The next bytes, or undefined at the end. A connection that breaks or falls silent after the answer has ended well. */
async function nextChunk(reader: ByteReader, options: AnswerBodyOptions): Promise<Uint8Array | undefined> {
  try {
    const { value, done } = await options.silence.during(() => reader.read());
    return done ? undefined : value;
  } catch (cause) {
    if (options.inspector.answered) return undefined;
    throw cause;
  }
}

function inspected(inspector: StreamInspector, events: readonly SseEvent[]): string {
  const texts: string[] = [];
  for (const event of events) {
    if (inspector.finished) break;
    texts.push(...inspector.inspect(event).map(encodeSse));
  }
  return texts.join("");
}

/** No field of an event stream begins with a bracket: such a body is JSON or a web page, whatever its content type says. */
function looksLikeEvents(chunk: Uint8Array): boolean {
  return !/^\uFEFF?\s*[{<[]/.test(Buffer.from(chunk.subarray(0, 64)).toString("utf8"));
}

/** The last event of a cut connection may itself be cut: then the cut is the fault, not the half of an event. */
function isWhole(event: SseEvent): boolean {
  if (event.data.trim() === "[DONE]") return true;
  try {
    JSON.parse(event.data);
    return true;
  } catch {
    // Half an event.
    return false;
  }
}
