import type { Socket } from "node:net";

/** A request as it came in. */
export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEAD_END = "\r\n\r\n";

/**
 * Reads one HTTP/1.1 request; undefined when the client goes away first. By hand, because the connection itself is what these
 * tests are about: no library in between decides when it is closed or reset.
 */
export function readRequest(socket: Socket): Promise<HttpRequest | undefined> {
  const { promise, resolve } = Promise.withResolvers<HttpRequest | undefined>();
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const request = parse(received);
    if (request === undefined) return;
    socket.off("data", onData);
    // Goes on reading, so that the end of the connection is seen.
    socket.resume();
    resolve(request);
  };
  socket.on("data", onData);
  socket.once("close", () => resolve(undefined));
  return promise;
}

function parse(bytes: Buffer): HttpRequest | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = bytes.subarray(end + HEAD_END.length);
  const body = headers["transfer-encoding"] === "chunked" ? unchunk(rest) : sized(rest, headers["content-length"]);
  if (body === undefined) return undefined;
  return { method, path: target.split("?")[0] ?? "", headers, body: body.toString("utf8") };
}

function sized(rest: Buffer, length: string | undefined): Buffer | undefined {
  const size = Number(length ?? 0);
  return rest.length < size ? undefined : rest.subarray(0, size);
}

function unchunk(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let position = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", position);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.subarray(position, lineEnd).toString("latin1"), 16);
    if (size === 0) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    if (rest.length < start + size + 2) return undefined;
    chunks.push(rest.subarray(start, start + size));
    position = start + size + 2;
  }
}

/** The head of an answer; every connection serves one. */
export function responseHead(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${status < 400 ? "OK" : "Error"}`, ...lines, "", ""].join("\r\n");
}
