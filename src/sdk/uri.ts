import { encodeFrame } from "./encode.ts";
import { SdkError } from "./error.ts";
import { type IncomingFrame, type OutgoingFrame, textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";

export interface UriContext {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly host: HostInfo;
}

/** What is behind a URI, when it is more than a plain text. */
export interface UriContent {
  readonly content: string;
  /** Default `text/plain`. */
  readonly contentType?: "text/plain" | "text/markdown" | "application/json" | (string & {});
  /** Hints for whoever shows it; no part of the text. */
  readonly notes?: readonly string[];
  /** Whether this text never changes, where that differs from its scheme. */
  readonly immutable?: boolean;
}

/** How a scheme is served. What a handler throws is what the model reads. zot waits 60 s. */
export interface UriHandlers {
  /** For the model: what is behind the scheme, and how its URIs look. */
  readonly description?: string;
  /** Whether the texts behind it never change. */
  readonly immutable?: boolean;
  read(url: URL, context: UriContext): string | UriContent | Promise<string | UriContent>;
  /** Replaces what is at `url`; a text takes the place of the usual confirmation. Absent: read-only. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a good handler
  write?(url: URL, content: string, context: UriContext): string | void | Promise<string | void>;
}

/** A scheme with its handlers. */
export interface UriScheme {
  readonly feature: "uri";
  /** Lower case, without the colon. */
  readonly name: string;
  /** The encoded frame that tells the host of it. */
  readonly announcement: string;
  /** Gives the answer to a `uri_request`; throws what the handler throws. */
  answer(frame: IncomingFrame, context: UriContext): Promise<OutgoingFrame>;
}

/** Binds handlers to a scheme (feature `uri`). Throws `SdkError` "usage" when `scheme` cannot be one. */
export function defineUri(scheme: string, handlers: UriHandlers): UriScheme {
  const name = scheme.toLowerCase();
  if (!/^[a-z][a-z0-9+.-]{0,63}$/.test(name)) {
    throw new SdkError("usage", `uri: ${JSON.stringify(scheme)} is no scheme; write it without "://"`);
  }
  const { description, immutable, write } = handlers;
  return {
    name,
    feature: "uri",
    announcement: encodeFrame({
      type: "register_uri_scheme",
      scheme: name,
      description,
      writable: write === undefined ? undefined : true,
      immutable: immutable === true ? true : undefined,
    }),
    async answer(frame, context) {
      const url = new URL(textIn(frame, "url"));
      const result = { type: "uri_result", id: textIn(frame, "id") };
      if (frame["operation"] !== "write") return { ...result, ...contentOf(await handlers.read(url, context)) };
      if (handlers.write === undefined) throw new SdkError("usage", `${name}:// is read-only`);
      return { ...result, content: (await handlers.write(url, textIn(frame, "content"), context)) ?? undefined };
    },
  };
}

/** The scheme that a `uri_request` is about, lower case. */
export function schemeIn(frame: IncomingFrame): string {
  const [scheme = ""] = textIn(frame, "url").split(":", 1);
  return scheme.toLowerCase();
}

/** The answer when it failed. */
export function uriError(frame: IncomingFrame, error: string): OutgoingFrame {
  return { type: "uri_result", id: textIn(frame, "id"), isError: true, error };
}

function contentOf(read: string | UriContent): Readonly<Record<string, unknown>> {
  if (typeof read === "string") return { content: read };
  const { content, contentType, notes, immutable } = read;
  return { content, contentType, notes, immutable };
}
