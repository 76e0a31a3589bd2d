import { parseFrame } from "../../../src/wire/frames.ts";
import type { SimulatedChild } from "../../support/simulated-child.ts";
import { bytesOf, type Line } from "./lines.ts";
import type { Answer, Child, Crash } from "./plan.ts";

type Frame = Readonly<Record<string, unknown>>;

/** A call that a program has read, and the number that the test gave it. */
export interface HeardCall {
  readonly id: string;
  readonly type: string;
  readonly number: string;
}

const ANSWERS: ReadonlyMap<unknown, string> = new Map([
  ["tool_call", "tool_result"],
  ["command_invoked", "command_response"],
  ["event_intercept", "event_intercept_response"],
  ["uri_request", "uri_result"],
]);

/** What runs in a simulated child: says what it is told to, and judges every line that the host writes to it. */
export class Program {
  readonly child: SimulatedChild;
  /** Tells programs apart, also those of one name. */
  readonly number: number;
  readonly calls: HeardCall[] = [];
  /** What the host did against the protocol. */
  readonly faults: string[] = [];
  readonly #config: Child;
  readonly #cancelled = new Set<string>();
  /** Questions asked and not answered yet, at most so many, by id. */
  readonly #questions = new Map<string, number>();
  #held: Buffer[] | undefined;
  #heard = 0;
  #dialect: unknown;
  #isOver = false;

  constructor(child: SimulatedChild, number: number, config: Child) {
    this.child = child;
    this.number = number;
    this.#config = config;
  }

  /** Begins to listen; says hello and brings a command, tools, a scheme, and an interest in everything. */
  start(): void {
    const { name, dialect, greets, heedsEof, heedsTerm } = this.#config;
    this.child.manners = { heedsEof, heedsTerm };
    this.child.onLine = (line) => this.#hear(line);
    if (!greets) return;
    const schema = { type: "object", properties: {} };
    const intercept = ["tool_call", "turn_start", "assistant_message", "before_agent_start"];
    this.tell({ type: "hello", name, protocol_version: dialect, capabilities: ["tool_cancel"] });
    this.tell({ type: "register_command", name });
    for (const tool of [`${name}_tool`, "shared"]) this.tell({ type: "register_tool", name: tool, schema });
    this.tell({ type: "register_tool", name: `${name}_asks`, schema, interactive: true });
    this.tell({ type: "register_uri_scheme", scheme: "own", writable: true });
    this.tell({ type: "subscribe", events: ["turn_start", "tool_call", "session_start", "session_opened"], intercept });
    this.tell({ type: "ready" });
  }

  tell(frame: Frame): void {
    this.say(JSON.stringify(frame));
  }

  say(line: Line): void {
    const bytes = this.#spoken(line);
    if (this.#held === undefined) this.child.say(bytes);
    else this.#held.push(bytes);
  }

  /** Says lines in pieces that `deliver` makes of them; what else there is to say waits until they are out. */
  async recite(lines: readonly Line[], deliver: (bytes: Buffer) => Promise<void>): Promise<void> {
    this.#held = [];
    await deliver(Buffer.concat(lines.map((line) => this.#spoken(line))));
    for (const bytes of this.#held) this.child.say(bytes);
    this.#held = undefined;
  }

  /** The bytes of a line that is about to be said. */
  #spoken(line: Line): Buffer {
    const parsed = typeof line === "string" ? parseFrame(line) : undefined;
    if (parsed?.kind === "frame" && parsed.frame.type === "extension_ui_request") {
      // Merged with what was mumbled before it is no question any more, so this is the most that there can be.
      const id = String(parsed.frame["id"]);
      this.#questions.set(id, (this.#questions.get(id) ?? 0) + 1);
    }
    return bytesOf(line);
  }

  #hear(line: string): void {
    this.#heard += 1;
    const frame = this.#parse(line);
    if (frame === undefined) return;
    const { type, id } = frame;
    if (this.#isOver) this.#blame(`${line} after shutdown`);
    if (this.#heard === 1 && type !== "hello_ack" && type !== "shutdown") this.#blame(`${line} before hello_ack`);
    if (type === "shutdown") this.#isOver = true;
    if (type === "hello_ack") this.#dialect = frame["protocol_version"];
    if (type === "panel_resize" && this.#dialect !== 2) this.#blame("panel_resize in dialect 1");
    if (type === "tool_cancel" || type === "uri_cancel") this.#checkCancel(id);
    if (type === "extension_ui_response") this.#checkAnswer(String(id));
    if (typeof id !== "string" || !ANSWERS.has(type)) return;
    const call = { id, type: String(type), number: numberOf(frame) };
    this.calls.push(call);
    if (this.#config.eager) this.answer(call, "proper");
  }

  answer({ id, type, number }: HeardCall, how: Answer): unknown {
    const text = `echo ${number} by ${this.number}`;
    const envelope = { type: ANSWERS.get(type), id };
    const proper = { ...envelope, ...fieldsOf(type, text) };
    switch (how) {
      case "proper":
        return this.tell(proper);
      case "twice":
        this.tell(proper);
        return this.tell({ ...envelope, ...fieldsOf(type, "a second answer") });
      case "update":
        return this.tell({ type: "tool_update", id, content: [{ type: "text", text: NO_ANSWER }] });
      case "wrong type": {
        const other = type === "tool_call" ? "command_response" : "tool_result";
        return this.tell({ id, ...fieldsOf(type, NO_ANSWER), type: other });
      }
      case "deep":
        return this.say({ nested: 100_000, in: JSON.stringify({ ...envelope, content: ["…"] }).replace('"…"', "…") });
      case "malformed":
        return this.tell({ ...envelope, ...BROKEN });
      case "block":
        return this.tell({ ...proper, block: true, reason: text, is_error: true, error: text, isError: true });
      case "rewrite":
        return this.tell({
          ...proper,
          modified_args: { n: Number(number), rewritten: true },
          replace_text: text,
          context: text,
          system_prompt: text,
        });
    }
  }

  crash(how: Crash): void {
    const { child } = this;
    switch (how) {
      case "exit 0":
        child.exit(0);
        break;
      case "exit 3":
        child.exit(3);
        break;
      case "SIGKILL":
      case "SIGSEGV":
        child.crash(how);
        break;
      case "shut stdin":
        child.shutEar();
        break;
      case "shut stdout":
        child.shutMouth();
        break;
      case "exit, pipe held":
        child.fork();
        child.exit(1);
    }
  }

  #parse(line: string): Frame | undefined {
    try {
      const frame: Frame = JSON.parse(line);
      const keys = Object.keys(frame);
      if (keys[0] !== "type" || (keys.includes("id") && keys[1] !== "id")) this.#blame(`${line}: type, then id`);
      return frame;
    } catch (error) {
      this.#blame(`${line.slice(0, 200)} is not JSON: ${String(error)}`);
      return undefined;
    }
  }

  #checkCancel(id: unknown): void {
    const known = this.calls.some((call) => call.id === id);
    if (!known || this.#cancelled.has(String(id))) this.#blame(`a cancel for ${String(id)}`);
    this.#cancelled.add(String(id));
  }

  #checkAnswer(id: string): void {
    const open = this.#questions.get(id) ?? 0;
    if (open === 0) this.#blame(`an answer to ${JSON.stringify(id)}, which waits for none`);
    this.#questions.set(id, open - 1);
  }

  #blame(fault: string): void {
    this.faults.push(`${this.child.name}: ${fault}`);
  }
}

/** Wherever the test put it. */
function numberOf(frame: Frame): string {
  const { args, tool_args, url, step, text, session_id } = frame;
  return /\d+/.exec(JSON.stringify([args, tool_args, url, step, text, session_id]))?.[0] ?? "";
}

function fieldsOf(type: string, text: string): Frame {
  switch (type) {
    case "tool_call":
      return { content: [{ type: "text", text }], details: { text } };
    case "command_invoked":
      return { action: "display", display: text };
    case "uri_request":
      return { content: text };
    default:
      return {};
  }
}

/** Stands in frames that answer nothing, whatever their id. */
export const NO_ANSWER = "this is no answer";

const BROKEN: Frame = {
  content: 5,
  action: 5,
  block: "yes",
  reason: 5,
  system_prompt: 5,
  modified_args: 5,
  isError: 5,
};
