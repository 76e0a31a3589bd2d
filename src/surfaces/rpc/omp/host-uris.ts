import * as v from "valibot";
import type { UriResolver } from "../../../agent/tools/uri.ts";
import type { UriRead, UriWrite } from "../../../host/contributions/uris.ts";
import { URI_SCHEME_PATTERN, URI_SCHEMES_PER_EXTENSION_MAX, URL_MAX_CHARS } from "../../../wire/limits.ts";
import type { SendFrame } from "../client-dialogs.ts";
import { isRecord } from "../command.ts";
import { RpcError } from "../error.ts";
import { HostCalls } from "./host-calls.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Scheme {
  readonly scheme: string;
  readonly description: string;
  readonly writable: boolean;
  readonly immutable: boolean;
}

/** Schemes that mean something inside an agent already, ours and those of the wire's own. */
const RESERVED = new Set(
  "agent artifact data history issue javascript local mcp memory omp pr rule skill vault xd zot zut".split(" "),
);

/** Wrong members of an answer count as absent: the work behind it has been done. */
const resultSchema = v.looseObject({
  id: v.string(),
  content: v.fallback(v.optional(v.string()), undefined),
  contentType: v.fallback(v.optional(v.string()), undefined),
  notes: v.fallback(v.optional(v.array(v.string())), undefined),
  immutable: v.fallback(v.optional(v.boolean()), undefined),
  isError: v.fallback(v.optional(v.boolean()), undefined),
  error: v.fallback(v.optional(v.string()), undefined),
});

type UriAnswer = v.InferOutput<typeof resultSchema>;

/** `scheme://…` that the client serves (rpc-wire.md §3.5): one set at a time, replaced as a whole. */
export class HostUris implements UriResolver {
  readonly #send: SendFrame;
  readonly #calls = new HostCalls<UriAnswer>();
  #schemes: readonly Scheme[] = [];

  constructor(send: SendFrame) {
    this.#send = send;
  }

  get isWaiting(): boolean {
    return this.#calls.isWaiting;
  }

  get schemes(): readonly Scheme[] {
    return this.#schemes;
  }

  /** Replaces the set. Throws `RpcError`, and the set before stays. */
  set(schemes: unknown): readonly string[] {
    if (!Array.isArray(schemes)) throw new RpcError("set_host_uri_schemes requires an array of schemes");
    if (schemes.length > URI_SCHEMES_PER_EXTENSION_MAX) {
      throw new RpcError(`set_host_uri_schemes takes at most ${URI_SCHEMES_PER_EXTENSION_MAX} schemes`);
    }
    const read = schemes.map((scheme: unknown) => readScheme(scheme));
    const names = read.map(({ scheme }) => scheme);
    if (new Set(names).size < names.length) throw new RpcError("Host URI schemes must be unique");
    this.#schemes = read;
    return names;
  }

  /** Takes a `host_uri_result`; false when it has not the shape of one. */
  result(fields: Fields): boolean {
    const answer = v.safeParse(resultSchema, fields);
    if (answer.success) this.#calls.answer(answer.output.id, answer.output);
    return answer.success;
  }

  clientGone(): void {
    this.#calls.clientGone();
  }

  has(url: string): boolean {
    return this.#schemeOf(url) !== undefined;
  }

  async read(url: string, signal: AbortSignal): Promise<UriRead> {
    const result = await this.#request("read", url, undefined, signal);
    if ("failure" in result) return { kind: "failed", text: result.failure };
    const { content, contentType, notes, immutable } = result.answer;
    return {
      kind: "content",
      content: content ?? "",
      contentType: contentType ?? "text/plain",
      notes: notes ?? [],
      immutable: immutable ?? result.scheme.immutable,
    };
  }

  async write(url: string, content: string, signal: AbortSignal): Promise<UriWrite> {
    const result = await this.#request("write", url, content, signal);
    if ("failure" in result) return { kind: "failed", text: result.failure };
    return { kind: "written", text: result.answer.content ?? "" };
  }

  #schemeOf(url: string): Scheme | undefined {
    const name = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
    return this.#schemes.find(({ scheme }) => scheme === name);
  }

  async #request(
    operation: "read" | "write",
    text: string,
    content: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly failure: string } | { readonly answer: UriAnswer; readonly scheme: Scheme }> {
    const scheme = this.#schemeOf(text);
    if (scheme === undefined) return { failure: `no host serves ${text.slice(0, 200)}` };
    if (operation === "write" && !scheme.writable) return { failure: `${scheme.scheme}:// URLs are read-only` };
    const url = text.length <= URL_MAX_CHARS ? URL.parse(text)?.href : undefined;
    if (url === undefined) return { failure: `${text.slice(0, 200)} is not a valid URL` };
    const end = await this.#calls.request({
      signal,
      send: (id) => this.#send("host_uri_request", { id, operation, url, content }),
      cancel: (fields) => this.#send("host_uri_cancel", fields),
    });
    if (end.kind === "aborted") return { failure: `Host URI ${operation} for ${url} was aborted` };
    if (end.kind === "too_long") return { failure: `The content is too long to be written to ${url}` };
    if (end.kind === "gone") return { failure: "RPC client disconnected before host URI request completed" };
    const { answer } = end;
    if (answer.isError !== true) return { answer, scheme };
    return { failure: answer.error || answer.content || `Host URI ${operation} failed for ${url}` };
  }
}

function readScheme(value: unknown): Scheme {
  const fields = isRecord(value) ? value : {};
  const given = fields["scheme"];
  const scheme = typeof given === "string" ? given.trim().toLowerCase() : "";
  if (scheme === "") throw new RpcError("Host URI scheme must be a non-empty string");
  if (!URI_SCHEME_PATTERN.test(scheme)) {
    throw new RpcError(`Host URI scheme contains invalid characters: ${scheme.slice(0, 80)}`);
  }
  if (RESERVED.has(scheme)) throw new RpcError(`Host URI scheme is reserved by zot: ${scheme}://`);
  const { description, writable, immutable } = fields;
  return {
    scheme,
    description: typeof description === "string" ? description.slice(0, 200) : "",
    writable: writable === true,
    immutable: immutable === true,
  };
}
