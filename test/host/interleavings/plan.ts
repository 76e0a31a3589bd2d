import fc from "fast-check";
import { type Line, line } from "./lines.ts";

/** The extensions of every case, in load order; each has a folder with a manifest of that name. */
export const NAMES = ["alpha", "beta", "gamma"] as const;

export type Name = (typeof NAMES)[number];

/** How a child ends, or half ends. */
export type Crash = "exit 0" | "exit 3" | "SIGKILL" | "SIGSEGV" | "shut stdin" | "shut stdout" | "exit, pipe held";

/** How a call that a child has read is answered. */
export type Answer = "proper" | "twice" | "update" | "wrong type" | "malformed" | "deep" | "block" | "rewrite";

/** Something that the host is asked by those above it. */
export type Request =
  | { readonly call: "tool"; readonly name: string; readonly args: "proper" | "invalid" | "huge" }
  | { readonly call: "command"; readonly name: string }
  | { readonly call: "tool_call" | "turn_start" | "assistant_message" | "before_agent_start" }
  | { readonly call: "uri"; readonly write: boolean };

/** One thing that happens, on either side of the pipes or to time itself. */
export type Step =
  /**
   * A child writes lines, in chunks cut at these places; `turns` of the event loop come after each. `checked`: the host
   * is then given the time to show that it has read all of them.
   */
  | {
      readonly do: "say";
      readonly who: Name;
      readonly lines: readonly Line[];
      readonly cuts: readonly number[];
      readonly turns: number;
      readonly checked: boolean;
    }
  /** A child writes the head of a line and no more. */
  | { readonly do: "mumble"; readonly who: Name; readonly text: string }
  /** A child writes more than a line may have, and goes on. */
  | { readonly do: "flood"; readonly who: Name }
  /** A child answers one of the calls that it has read, whether it has done so before or not. */
  | { readonly do: "answer"; readonly who: Name; readonly which: number; readonly how: Answer }
  /** A child answers a call of another child. */
  | { readonly do: "usurp"; readonly who: Name; readonly which: number }
  | { readonly do: "crash"; readonly who: Name; readonly how: Crash }
  | { readonly do: "fork"; readonly who: Name }
  | { readonly do: "read"; readonly who: Name; readonly reading: boolean }
  | { readonly do: "request"; readonly request: Request }
  | { readonly do: "abort"; readonly which: number }
  | {
      readonly do: "event";
      readonly event: "turn_start" | "tool_call" | "session_start" | "session_opened";
      readonly times: number;
    }
  | { readonly do: "key"; readonly name: string; readonly text: string }
  | { readonly do: "paste"; readonly chars: number }
  | { readonly do: "resize"; readonly width: number; readonly height: number }
  | { readonly do: "focus"; readonly focused: boolean }
  | { readonly do: "answer dialog"; readonly which: number; readonly how: DialogReply }
  | { readonly do: "attach"; readonly surface: SurfaceMood }
  | { readonly do: "detach" }
  | { readonly do: "dismiss notes" }
  | { readonly do: "reload" }
  | { readonly do: "stop"; readonly graceMs: number }
  | { readonly do: "turns"; readonly turns: number }
  | { readonly do: "pass"; readonly ms: number };

export type DialogReply = "value" | "confirmed" | "answers" | "cancelled" | "timed out" | "fails";

/** What a surface is like that is attached. */
export interface SurfaceMood {
  readonly interactive: boolean;
  readonly lacks: readonly ("openPanel" | "ask" | "note" | "submit")[];
  /** Closes a panel while it is being opened. */
  readonly closesPanels: boolean;
  readonly answersAtOnce: boolean;
}

export interface Child {
  readonly name: Name;
  readonly dialect: 1 | 2;
  /** Says hello and registers properly by itself. */
  readonly greets: boolean;
  /** Answers every call at once and properly, unless a step gets there first. */
  readonly eager: boolean;
  readonly heedsEof: boolean;
  readonly heedsTerm: boolean;
}

export interface Plan {
  readonly children: readonly Child[];
  readonly surface: SurfaceMood | undefined;
  /** The first step is taken when the host has started, or while it is at it. */
  readonly begin: "ready" | "early";
  readonly steps: readonly Step[];
  /** Before the end: time goes by until every deadline has passed, or the host is stopped as it stands. */
  readonly ending: "wait" | "stop";
  readonly graceMs: number;
}

const who = fc.constantFrom(...NAMES);
const which = fc.nat({ max: 9 });

const mood: fc.Arbitrary<SurfaceMood> = fc.record({
  interactive: fc.boolean(),
  lacks: fc.subarray(["openPanel", "ask", "note", "submit"] as const, { maxLength: 2 }),
  closesPanels: fc.nat({ max: 7 }).map((n) => n === 0),
  answersAtOnce: fc.nat({ max: 5 }).map((n) => n === 0),
});

const request: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      call: fc.constant("tool" as const),
      name: fc.constantFrom("alpha_tool", "beta_tool", "gamma_tool", "shared", "own_tool", "alpha_asks", "nobody"),
      args: fc.oneof(
        { weight: 12, arbitrary: fc.constant("proper" as const) },
        { weight: 2, arbitrary: fc.constant("invalid" as const) },
        // Four megabytes; rare, since it takes its time.
        { weight: 1, arbitrary: fc.nat({ max: 9 }).map((n) => (n === 0 ? "huge" : "proper")) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constant("command" as const),
      name: fc.constantFrom("alpha", "beta", "gamma", "own", "nobody"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constantFrom(
        "tool_call" as const,
        "turn_start" as const,
        "assistant_message" as const,
        "before_agent_start" as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("uri" as const), write: fc.boolean() }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      who,
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
      cuts: fc.array(fc.nat({ max: 400 }), { maxLength: 3 }),
      turns: fc.nat({ max: 1 }),
      checked: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("mumble" as const),
      who,
      text: fc.constantFrom('{"type":"tool_res', '{"type":"notify","message":"', "\r", "{"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("flood" as const), who }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      who,
      which,
      how: fc.constantFrom(
        "proper",
        "proper",
        "twice",
        "update",
        "wrong type",
        "malformed",
        "deep",
        "block",
        "rewrite",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("usurp" as const), who, which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      who,
      how: fc.constantFrom("exit 0", "exit 3", "SIGKILL", "SIGSEGV", "shut stdin", "shut stdout", "exit, pipe held"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fork" as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), who, reading: fc.boolean() }) },
  { weight: 14, arbitrary: fc.record({ do: fc.constant("request" as const), request }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("abort" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("event" as const),
      event: fc.constantFrom("turn_start", "tool_call", "session_start", "session_opened"),
      times: fc.constantFrom(1, 1, 2, 300),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("key" as const),
      name: fc.constantFrom("up", "enter", "esc", "rune", "f13", "__proto__"),
      text: fc.constantFrom("a", "é", "", "\u001b"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("paste" as const), chars: fc.constantFrom(1, 1_500, 20_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("resize" as const),
      width: fc.nat({ max: 200 }),
      height: fc.nat({ max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("focus" as const), focused: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer dialog" as const),
      which,
      how: fc.constantFrom("value", "confirmed", "answers", "cancelled", "timed out", "fails"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("attach" as const), surface: mood }) },
  { weight: 1, arbitrary: fc.constant({ do: "detach" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "dismiss notes" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "reload" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("stop" as const), graceMs: fc.constantFrom(0, 500, 2_000) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("turns" as const), turns: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1, 100, 260, 1_000, 5_100, 11_000) }),
  },
);

const child = (name: Name): fc.Arbitrary<Child> => {
  const mostly = fc.nat({ max: 9 }).map((n) => n > 0);
  return fc.record({
    name: fc.constant(name),
    dialect: fc.constantFrom(1, 2),
    greets: mostly,
    eager: fc.boolean(),
    heedsEof: mostly,
    heedsTerm: mostly,
  });
};

/** Any interleaving of what children say, what is asked of the host, and what goes wrong. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  children: fc.tuple(...NAMES.map(child)),
  surface: fc.option(mood, { nil: undefined, freq: 5 }),
  begin: fc.constantFrom("ready", "ready", "ready", "early"),
  steps: fc.array(step, { maxLength: 40, size: "max" }),
  ending: fc.constantFrom("wait", "stop"),
  graceMs: fc.constantFrom(0, 500, 2_000),
});
