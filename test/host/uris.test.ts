import { describe, expect, test } from "bun:test";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;

/** Serves `db` (writable), `ro` (immutable); what it answers is in the URL's path. */
const SERVER = `
hello()
emit("register_uri_scheme", scheme=" DB ", description="rows", writable=True)
emit("register_uri_scheme", scheme="ro", immutable=True)
ready()
ANSWERS = {
    "text": {"content": "hello"},
    "full": {"content": "{}", "contentType": "application/json", "notes": ["n"], "immutable": False},
    "empty": {},
    "error": {"isError": True, "error": "no such row"},
    "content-error": {"isError": True, "content": "said in content"},
    "bare-error": {"isError": True},
    "odd": {"content": 5},
}
for frame in frames():
    if frame["type"] == "uri_request":
        path = frame["url"].rsplit("/", 1)[1]
        if path == "echo":
            emit("uri_result", id=frame["id"], content=frame["operation"] + " " + frame.get("content", ""))
        elif path == "die":
            os._exit(3)
        elif path in ANSWERS:
            emit("uri_result", id=frame["id"], **ANSWERS[path])
`;

async function served(): Promise<HostWorld> {
  const world = await HostWorld.create();
  world.python("a", SERVER);
  await world.start();
  return world;
}

test("schemes are offered in lower case with what they can", async () => {
  await using world = await served();
  expect(world.host.uris.schemes).toEqual([
    { scheme: "db", description: "rows", writable: true, immutable: false, extension: "a" },
    { scheme: "ro", description: "", writable: false, immutable: true, extension: "a" },
  ]);
  expect(world.host.uris.has("DB://x")).toBe(true);
  expect([world.host.uris.has("http://x"), world.host.uris.has("nonsense")]).toEqual([false, false]);
});

describe("a read gives", () => {
  const cases: Record<string, object> = {
    "db://x/text": { kind: "content", content: "hello", contentType: "text/plain", notes: [], immutable: false },
    "ro://x/text": { kind: "content", content: "hello", contentType: "text/plain", notes: [], immutable: true },
    "ro://x/full": { kind: "content", content: "{}", contentType: "application/json", notes: ["n"], immutable: false },
    "db://x/empty": { kind: "content", content: "", contentType: "text/plain", notes: [], immutable: false },
    "db://x/error": { kind: "failed", text: "no such row" },
    "db://x/content-error": { kind: "failed", text: "said in content" },
    "db://x/bare-error": { kind: "failed", text: "extension a: read of db://x/bare-error failed" },
    "http://x/text": { kind: "failed", text: "no extension serves http://x/text" },
  };
  for (const [url, expected] of Object.entries(cases)) {
    test(`${url} → ${JSON.stringify(expected)}`, async () => {
      await using world = await served();
      expect<unknown>(await world.host.uris.read(url, LIVE)).toEqual(expected);
    });
  }

  test("a failure for an answer of the wrong shape", async () => {
    await using world = await served();
    expect(await world.host.uris.read("db://x/odd", LIVE)).toMatchObject({
      kind: "failed",
      text: expect.stringContaining("malformed uri_result: content"),
    });
  });
});

test("the extension gets the normalised URL, whole", async () => {
  await using world = await served();
  await world.host.uris.read("RO://Users/A B/text", LIVE);
  expect(await world.frame("a", { type: "uri_request" })).toMatchObject({
    operation: "read",
    url: "ro://Users/A%20B/text",
  });
});

test("a write carries the content and gives what the extension says", async () => {
  await using world = await served();
  expect(await world.host.uris.write("db://x/echo", "new text", LIVE)).toEqual({
    kind: "written",
    text: "write new text",
  });
});

test("a scheme that is read-only is never asked to write", async () => {
  await using world = await served();
  expect(await world.host.uris.write("ro://x/echo", "x", LIVE)).toEqual({
    kind: "failed",
    text: "ro:// URLs are read-only",
  });
  expect(world.framesOf("a", "uri_request")).toEqual([]);
});

test("content beyond the frame limit fails at once", async () => {
  await using world = await served();
  const end = await world.host.uris.write("db://x/echo", "x".repeat(5 * 1024 * 1024), LIVE);
  expect(end).toMatchObject({ kind: "failed", text: expect.stringContaining("exceeds the frame limit") });
});

test("an aborted request is cancelled at the extension too, and a late answer is ignored", async () => {
  await using world = await served();
  const abort = new AbortController();
  const reading = world.host.uris.read("db://x/never", abort.signal);
  const request = await world.frame("a", { type: "uri_request" });
  abort.abort();
  expect(await reading).toEqual({ kind: "failed", text: "extension a: read of db://x/never was aborted" });
  expect(await world.frame("a", { type: "uri_cancel" })).toEqual({ type: "uri_cancel", id: request["id"] });
});

test("the death of the extension ends a request at once and its schemes with it", async () => {
  await using world = await served();
  expect(await world.host.uris.read("db://x/die", LIVE)).toEqual({ kind: "failed", text: "extension a disconnected" });
  expect(world.host.uris.schemes).toEqual([]);
});

test("schemes that are malformed, reserved or taken are refused in the log", async () => {
  const scheme = (name: unknown) => ({ type: "register_uri_scheme", scheme: name });
  await using world = await HostWorld.of({
    a: { registrations: [scheme("x y"), scheme(""), scheme("1a"), scheme("a".repeat(65)), scheme(5), scheme("mine")] },
    b: { registrations: [scheme("HTTP"), scheme("file"), scheme("mine")] },
  });
  expect(world.host.uris.schemes.map(({ scheme: name, extension }) => `${extension} ${name}`)).toEqual(["a mine"]);
  expect(world.diagnostics("a").filter((entry) => entry.includes("must match"))).toHaveLength(4);
  expect(world.diagnostics("a").join("\n")).toContain("bad register_uri_scheme frame");
  expect(world.diagnostics("b")).toEqual([
    "uri scheme http is shadowed by the built-in of that name",
    "uri scheme file is shadowed by the built-in of that name",
    "uri scheme mine conflicts with another extension registering the same name",
  ]);
});
