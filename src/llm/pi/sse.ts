/** One server-sent event. `event` is "" when the server did not name it. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

/** Characters that one event may hold; a tool call of several megabytes must pass, a runaway stream must not. */
const MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** Thrown when one event outgrows its bound. */
export class SseOverflow extends Error {
  constructor() {
    super(`one event of the stream is larger than ${MAX_EVENT_CHARS} characters`);
    this.name = "SseOverflow";
  }
}

/**
 * Turns bytes, cut anywhere, into server-sent events. Accepts LF, CRLF and CR (also a CRLF cut in two), a leading byte
 * order mark, data over several lines, and comments; the libraries above stumble over some of these.
 */
export class SseDecoder {
  readonly #decoder = new TextDecoder();
  #text = "";
  /** Where the search for the next line end goes on, so that a long line is not searched again with every chunk. */
  #searched = 0;
  #afterCarriageReturn = false;
  #event = "";
  #data: string[] = [];
  #dataChars = 0;

  /** The events that `bytes` completed. Throws `SseOverflow`. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What an unfinished last event holds at the end of the stream, for servers that leave out the closing blank line. */
  end(): SseEvent[] {
    const events = this.#take(this.#decoder.decode());
    if (this.#text !== "") this.#line(this.#text);
    this.#text = "";
    const last = this.#dispatch();
    return last === undefined ? events : [...events, last];
  }

  #take(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    this.#text += text;
    const lineEnd = /[\r\n]/g;
    let start = 0;
    if (this.#afterCarriageReturn && this.#text !== "") {
      this.#afterCarriageReturn = false;
      if (this.#text.startsWith("\n")) start = 1;
    }
    lineEnd.lastIndex = Math.max(start, this.#searched);
    for (let found = lineEnd.exec(this.#text); found !== null; found = lineEnd.exec(this.#text)) {
      const event = this.#line(this.#text.slice(start, found.index));
      if (event !== undefined) events.push(event);
      start = found.index + 1;
      if (found[0] === "\r") {
        if (start === this.#text.length) this.#afterCarriageReturn = true;
        else if (this.#text[start] === "\n") start += 1;
      }
      lineEnd.lastIndex = start;
    }
    this.#text = this.#text.slice(start);
    this.#searched = this.#text.length;
    if (this.#text.length + this.#dataChars > MAX_EVENT_CHARS) throw new SseOverflow();
    return events;
  }

  #line(line: string): SseEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "event") this.#event = value;
    if (field === "data") {
      this.#data.push(value);
      this.#dataChars += value.length;
    }
    return undefined;
  }

  #dispatch(): SseEvent | undefined {
    const event = { event: this.#event, data: this.#data.join("\n") };
    this.#event = "";
    this.#data = [];
    this.#dataChars = 0;
    // An event without data is a keep-alive, whatever its name.
    return event.data.trim() === "" ? undefined : event;
  }
}

/** The plainest spelling of an event, the one that every library reads. */
export function encodeSse({ event, data }: SseEvent): string {
  const name = event === "" ? "" : `event: ${event}\n`;
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${name}${lines.join("")}\n`;
}
