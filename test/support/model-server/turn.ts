/** Which protocol a request speaks; told by its path. */
export type Protocol = "chat" | "messages" | "responses";

/** A tool call that the scripted model makes. Odd values are sent as they are. */
export interface ScriptedCall {
  /** Any JSON value, so that a name can be missing (undefined), null or a number. */
  readonly name: unknown;
  /** Arguments as a value; sent as compact JSON. */
  readonly args?: unknown;
  /** Arguments as raw text, sent verbatim; wins over `args`. null sends no arguments at all. */
  readonly raw?: string | null;
  /** Defaults to an id that no other call of this server has; null leaves it out. */
  readonly id?: unknown;
  /** Chat only. Defaults to the position of the call; null leaves it out. */
  readonly index?: number | null;
  /** Characters a fragment; one fragment when left out. */
  readonly fragment?: number;
}

/** Where the connection breaks. `before_done`: all of the answer, but nothing that says it has ended. */
export type Drop =
  | "before_headers"
  | "after_headers"
  | "before_done"
  | { readonly afterBytes: number }
  | { readonly afterEvents: number };

/** One answer of the scripted model. Everything is optional: `{}` is an empty answer. */
export interface Turn {
  /** A list is sent as one delta an item. */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  /** Signature of the thinking block (Messages). */
  readonly signature?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Send the fragments of all calls in turn (Chat). */
  readonly interleave?: boolean;
  /** Replaces the finish or stop reason; null never sends one. */
  readonly finish?: string | null;
  /** null leaves the counts out. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** false leaves out `[DONE]`, `message_stop`, `response.completed`. */
  readonly done?: boolean;

  /** Answers with this HTTP status in place of a stream. */
  readonly status?: number;
  /** The body that goes with `status`: an object is wrapped as the services do, a string is sent verbatim. */
  readonly error?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** An error event after the answer's deltas, which ends it. */
  readonly errorEvent?: object | string;

  readonly drop?: Drop;
  /** Breaks with a TCP reset in place of a normal close. */
  readonly reset?: boolean;

  /** ms before the headers; "forever" waits until the client hangs up. */
  readonly delay?: number | "forever";
  /** Falls silent after so many events, until the client hangs up. */
  readonly stallAfterEvents?: number;
  /** Keeps the connection open when all is sent, until the client hangs up. */
  readonly keepOpen?: boolean;
  /** ms between events. */
  readonly pace?: number;

  /** Bytes a write; "inside-characters" cuts in every multi-byte character. One write an event when left out. */
  readonly chunk?: number | "inside-characters";
  readonly eol?: "\n" | "\r\n" | "\r";
  /** Comment lines before every event. */
  readonly comments?: number;
  /** `data:` lines without anything, and `event: ping`s, before every event. */
  readonly pings?: boolean;
  /** One payload over two `data:` lines. */
  readonly splitData?: boolean;
  readonly byteOrderMark?: boolean;
  /** Sent verbatim before the first event. */
  readonly prelude?: string;
  /** `close` ends the body by closing, as old servers do; chunked otherwise, where a missing end is an error. */
  readonly framing?: "chunked" | "close";
  readonly contentType?: string;
  /** The whole body, verbatim, with status 200. */
  readonly body?: string;

  /** Serve only a request whose body holds this text; such turns go before the queue. */
  readonly match?: string;
  /** Serve it so many times; Infinity for ever. */
  readonly times?: number;
}
