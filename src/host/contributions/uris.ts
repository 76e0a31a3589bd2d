import * as v from "valibot";
import {
  CHROME_LINE_MAX_CHARS,
  URI_DEADLINE_MS,
  URI_NOTES_MAX,
  URI_SCHEME_PATTERN,
  URI_SCHEMES_PER_EXTENSION_MAX,
  URL_MAX_CHARS,
} from "../../wire/limits.ts";
import { faultOf, type RegisterUriScheme, type UriResult, uriResultSchema } from "../../wire/schemas.ts";
import type { Extension } from "../extension.ts";
import { clip, clipLines } from "./clip.ts";
import { NameTable, type Registration } from "./name-table.ts";

/** Schemes that mean something to everybody, or to zot itself. */
const RESERVED_SCHEMES = new Set(
  "about blob bun data file ftp ftps git http https javascript mailto node sftp skill ssh ws wss zot zut".split(" "),
);

/** A scheme that an extension serves. */
export interface OfferedScheme {
  /** Lower case, without the colon. */
  readonly scheme: string;
  readonly description: string;
  readonly writable: boolean;
  readonly immutable: boolean;
  readonly extension: string;
}

interface SchemeRegistration extends Registration {
  readonly description: string;
  readonly writable: boolean;
  readonly immutable: boolean;
}

/** What became of a request; a failure is for the model. */
export type UriFailure = { readonly kind: "failed"; readonly text: string };

export type UriRead =
  | UriFailure
  | {
      readonly kind: "content";
      readonly content: string;
      /** `text/plain` unless the extension says otherwise. */
      readonly contentType: string;
      /** Hints for whoever shows it, not part of the text. */
      readonly notes: readonly string[];
      /** Never changes, so nobody will edit it. */
      readonly immutable: boolean;
    };

/** `text` is what the extension has to say about it; empty when nothing. */
export type UriWrite = UriFailure | { readonly kind: "written"; readonly text: string };

/** `scheme://…` through extensions (feature `uri`), for the tools that read and write. */
export class Uris {
  readonly #schemes = new NameTable<SchemeRegistration>({
    reserved: RESERVED_SCHEMES,
    limit: URI_SCHEMES_PER_EXTENSION_MAX,
    label: (name) => `uri scheme ${name}`,
  });

  /** Owned and live, in load order. */
  get schemes(): readonly OfferedScheme[] {
    return this.#schemes.owners().map(({ extension, name, description, writable, immutable }) => {
      return { scheme: name, description, writable, immutable, extension: extension.name };
    });
  }

  register(extension: Extension, { scheme, description, writable, immutable }: RegisterUriScheme): void {
    const name = scheme.trim().toLowerCase();
    if (!URI_SCHEME_PATTERN.test(name)) {
      const shown = JSON.stringify(scheme.slice(0, 80));
      extension.diagnostics.add(`uri scheme ${shown}: must match ${URI_SCHEME_PATTERN.source}; skipped`);
      return;
    }
    const registration = {
      extension,
      name,
      description: clip(description, CHROME_LINE_MAX_CHARS),
      writable: writable ?? false,
      immutable: immutable ?? false,
    };
    this.#schemes.add(name, registration);
  }

  /** Whether an extension serves this URL. */
  has(url: string): boolean {
    return this.#ownerOf(url) !== undefined;
  }

  /** A generation has ended. */
  remove(extension: Extension): void {
    this.#schemes.remove(extension);
  }

  /** Reads `url`; never rejects. 60 s at most. */
  async read(url: string, signal: AbortSignal): Promise<UriRead> {
    const result = await this.#request("read", url, undefined, signal);
    if ("failure" in result) return failed(result.failure);
    const { answer, owner } = result;
    return {
      kind: "content",
      content: answer.content ?? "",
      contentType: answer.contentType === "" ? "text/plain" : clip(answer.contentType, CHROME_LINE_MAX_CHARS),
      notes: clipLines(answer.notes, URI_NOTES_MAX, CHROME_LINE_MAX_CHARS),
      immutable: answer.immutable ?? owner.immutable,
    };
  }

  /** Replaces what is at `url` by `content`; never rejects. 60 s at most. */
  async write(url: string, content: string, signal: AbortSignal): Promise<UriWrite> {
    const result = await this.#request("write", url, content, signal);
    return "failure" in result ? failed(result.failure) : { kind: "written", text: result.answer.content ?? "" };
  }

  #ownerOf(url: string): SchemeRegistration | undefined {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
    return scheme === undefined ? undefined : this.#schemes.owner(scheme.toLowerCase());
  }

  async #request(
    operation: "read" | "write",
    text: string,
    content: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly failure: string } | { readonly answer: UriResult; readonly owner: SchemeRegistration }> {
    const owner = this.#ownerOf(text);
    const shown = clip(text, SHOWN_URL_MAX_CHARS);
    if (owner === undefined) return { failure: `no extension serves ${shown}` };
    if (operation === "write" && !owner.writable) return { failure: `${owner.name}:// URLs are read-only` };
    const url = text.length <= URL_MAX_CHARS ? URL.parse(text)?.href : undefined;
    if (url === undefined) return { failure: `${shown} is not a valid URL` };

    const { extension } = owner;
    const { connection } = extension;
    let id = "";
    const end = await connection?.call(
      "uri_request",
      { operation, url, ...(content === undefined ? {} : { content }) },
      {
        deadlineMs: URI_DEADLINE_MS,
        signal,
        onId: (minted) => {
          id = minted;
        },
      },
    );
    const what = `extension ${extension.name}: ${operation} of ${shown}`;
    switch (end?.kind) {
      case "answer": {
        const result = v.safeParse(uriResultSchema, end.frame);
        if (!result.success) return { failure: `${what}: malformed uri_result: ${faultOf(result.issues)}` };
        const answer = result.output;
        return answer.isError === true ? { failure: errorText(what, answer) } : { answer, owner };
      }
      case "timeout":
        extension.connection?.send("uri_cancel", { id });
        return { failure: `${what}: no answer within ${URI_DEADLINE_MS / 1000} s` };
      case "cancelled":
        extension.connection?.send("uri_cancel", { id });
        return { failure: `${what} was aborted` };
      case "too_long":
        return { failure: `${what}: the content exceeds the frame limit of the extension protocol` };
      case "disconnected":
      case undefined:
        return { failure: `extension ${extension.name} disconnected` };
    }
  }
}

const SHOWN_URL_MAX_CHARS = 200;

function errorText(what: string, { error, content }: UriResult): string {
  const text = error.trim() === "" ? (content ?? "") : error;
  return text.trim() === "" ? `${what} failed` : text;
}

function failed(text: string): UriFailure {
  return { kind: "failed", text };
}
