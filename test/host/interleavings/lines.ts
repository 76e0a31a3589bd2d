import fc from "fast-check";

/** What an extension may write as one line: text, bytes that are no text, or arrays inside each other in place of `…`. */
export type Line = string | { readonly hex: string } | { readonly nested: number; readonly in: string };

/** The bytes of a line, its line feed included. */
export function bytesOf(line: Line): Buffer {
  if (typeof line === "string") return Buffer.from(`${line}\n`);
  if ("hex" in line) return Buffer.concat([Buffer.from(line.hex, "hex"), Buffer.from("\n")]);
  return Buffer.from(`${line.in.replace("…", "[".repeat(line.nested) + "]".repeat(line.nested))}\n`);
}

const few = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const id = few("p", "q", "", "__proto__");
const text = fc.oneof(few("", "a", "  ", "é狐🎉", "\u001b[2J\u0007", "/help", "/own"), fc.string({ maxLength: 8 }));
const texts = fc.array(text, { maxLength: 3 });
/** Ids that the host may have given to some call of somebody, and others. */
const guessedId = fc.oneof(
  fc.tuple(few("t", "c", "i", "u"), fc.nat({ max: 30 })).map(([kind, number]) => `${kind}${number}`),
  few("", "t0", "__proto__", "constructor", "d1"),
);

const schema = fc.oneof(
  fc.constantFrom<unknown>({ type: "object", properties: {} }, {}, null, 5, [], { anyOf: [] }, { type: "string" }),
  fc.jsonValue({ maxDepth: 2 }),
);
const content = fc.oneof(
  texts.map((blocks) => blocks.map((block) => ({ type: "text", text: block }))),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
  fc.constantFrom<unknown>(null, 5, {}, [{ type: "image", mime_type: "image/png", data: "iVBORw0KGgo=" }]),
);
const panel = fc.record({ id, title: text, lines: texts, footer: text });

/** Proper frames of every type, with names and ids from so few that they collide. */
const frames: readonly fc.Arbitrary<Readonly<Record<string, unknown>>>[] = [
  fc.record({ type: few("hello"), name: few("alpha", "nobody"), protocol_version: fc.constantFrom(0, 1, 2, 3) }),
  fc.record({ type: few("register_command"), name: few("own", "OWN", "help", "a b", ""), description: text }),
  fc.record(
    {
      type: few("register_tool"),
      name: few("shared", "own_tool", "read", "no good", "__proto__"),
      description: text,
      schema,
      deferred: fc.boolean(),
      interactive: fc.boolean(),
    },
    { requiredKeys: ["type", "name"] },
  ),
  fc.record({
    type: few("subscribe"),
    events: fc.subarray(["turn_start", "tool_call", "session_start", "session_opened", "__proto__"]),
    intercept: fc.subarray(["tool_call", "turn_start", "assistant_message", "before_agent_start", "turn_end"]),
  }),
  fc.record({ type: few("ready", "shutdown_ack", "clear_notes") }),
  fc.record({ type: few("notify", "log"), level: text, message: text, data: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ type: few("status"), key: id, level: text, text }),
  fc.record({ type: few("widget"), id, title: text, lines: texts }),
  fc.record({ type: few("widget_clear"), id }),
  fc.record({ type: few("alert"), kind: few("bell", "gong", ""), reason: text }),
  fc.record({ type: few("open_panel"), panel }),
  fc.record({ type: few("panel_render"), panel_id: id, title: text, lines: texts }),
  fc.record({ type: few("panel_close"), panel_id: id }),
  fc.record({ type: few("submit", "submit_slash"), text }),
  fc.record(
    {
      type: few("extension_ui_request"),
      id,
      method: few("select", "confirm", "input", "editor", "cancel", "notify", "setStatus", "setWidget", "nothing"),
      title: text,
      message: text,
      options: fc.constantFrom<unknown>(["a", "b"], [], 5),
      timeout: fc.constantFrom(0, 1, 900, 1e12),
      targetId: id,
    },
    { requiredKeys: ["type", "id", "method"] },
  ),
  fc.record({
    type: few("extension_ui_request"),
    id,
    method: few("ask"),
    questions: fc.constantFrom<unknown>([{ id: "q", question: "?", options: [{ label: "a" }] }], [], [{ id: "q" }]),
  }),
  fc.record({ type: few("register_uri_scheme"), scheme: few("own", "http", "9"), writable: fc.boolean() }),
  fc.record({
    type: few("tool_result", "tool_update"),
    id: guessedId,
    content,
    details: fc.jsonValue({ maxDepth: 1 }),
  }),
  fc.record({ type: few("command_response"), id: guessedId, action: few("prompt", "display", "open_panel", "?") }),
  fc.record({ type: few("event_intercept_response"), id: guessedId, block: fc.boolean(), reason: text }),
  fc.record({ type: few("uri_result"), id: guessedId, content: text }),
];
const properFrame = fc.oneof(...frames);

/** A proper frame with one member that is not what it should be. */
const brokenFrame = fc
  .tuple(properFrame, fc.nat(), fc.oneof(fc.jsonValue({ maxDepth: 1 }), few("__proto__")))
  .map(([frame, place, value]) => {
    const keys = Object.keys(frame);
    return { ...frame, [keys[place % keys.length] ?? "type"]: value };
  });

/** JSON that a decoder must survive: keys that mean something to the engine, twice the same, numbers beyond all reason. */
const hostileText = fc.constantFrom(
  "",
  "\r",
  "null",
  "[]",
  "5",
  '"x"',
  "{}",
  '{"type":"ready"',
  '{"type":"ready"}{"type":"ready"}',
  '\uFEFF{"type":"ready"}',
  '{"type":"__proto__"}',
  '{"type":"constructor","id":"t1"}',
  '{"__proto__":{"type":"ready","polluted":1}}',
  '{"type":"notify","__proto__":{"message":"x","polluted":1}}',
  '{"type":"notify","constructor":{"prototype":{"polluted":1}},"message":"x"}',
  '{"type":"tool_result","id":{"toString":"x"},"content":[]}',
  '{"type":"tool_result","id":"t1","id":"t2","content":[],"details":1,"details":{"__proto__":{"polluted":1}}}',
  '{"type":"register_tool","name":"own_tool","schema":{"type":"object","properties":{"__proto__":{"polluted":1}}}}',
  '{"type":"register_tool","name":"own_tool","schema":{"type":"object","properties":{"a":1e999,"b":-0}}}',
  '{"type":"status","key":"toString","text":"\\ud800"}',
  '{"type":"status","key":"hasOwnProperty","text":"\\u0000\\u001b]8;;x\\u0007"}',
);

export const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 60, arbitrary: properFrame.map((frame) => JSON.stringify(frame)) },
  { weight: 15, arbitrary: brokenFrame.map((frame) => JSON.stringify(frame)) },
  { weight: 10, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }).map((noise) => noise.replaceAll("\n", " ")) },
  {
    weight: 4,
    arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => ({ hex: Buffer.from(bytes).toString("hex") })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      nested: fc.constantFrom(10, 10_000, 100_000),
      in: few(
        '{"type":"notify","message":…}',
        '{"type":"tool_result","id":"t1","content":…,"details":…}',
        '{"type":"tool_result","id":"t2","content":[{"type":"text","text":…},…]}',
        '{"type":"register_tool","name":"own_tool","schema":{"type":…,"properties":{}}}',
        '{"type":"register_tool","name":"own_tool","schema":{"properties":{"a":{"b":…}}}}',
        '{"type":"log","message":"x","data":…}',
        "…",
      ),
    }),
  },
);
