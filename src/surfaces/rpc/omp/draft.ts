import {
  API,
  NO_OMP_USAGE,
  type OmpAssistantMessage,
  type OmpBlock,
  type OmpToolCall,
  parsedArguments,
} from "./message.ts";

/** One step of an answer that is being written: what `assistantMessageEvent` says besides `partial`. */
export interface DraftEvent {
  readonly type: string;
  readonly contentIndex: number;
  readonly [key: string]: unknown;
}

type TextKind = "text" | "thinking";

/** A block that grows. `json` is the text with JSON's escapes, grown along so that a snapshot need not encode it anew. */
interface TextBlock {
  readonly kind: TextKind;
  text: string;
  json: string;
}

interface CallBlock {
  readonly kind: "toolCall";
  readonly id: string;
  readonly name: string;
  args: string;
  isWhole: boolean;
}

export interface DraftSource {
  readonly provider: string;
  readonly model: string;
  readonly timestamp: number;
}

/** An answer while the model writes it: the blocks so far and the events that led there (rpc-wire.md §4). */
export class AssistantDraft {
  readonly #source: DraftSource;
  readonly #blocks: (TextBlock | CallBlock)[] = [];
  #isOpen = false;
  /** First half of a character whose second half is still to come. */
  #half = "";

  constructor(source: DraftSource) {
    this.#source = source;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Characters of all blocks. */
  get size(): number {
    return this.#blocks.reduce((sum, block) => sum + (block.kind === "toolCall" ? block.args : block.text).length, 0);
  }

  /** Adds to the open block of this kind, or opens one. `delta` may be more than one piece of the model. */
  write(kind: TextKind, delta: string): DraftEvent[] {
    const events = this.#openText(kind) === undefined ? [...this.close(), this.#start(kind)] : [];
    const block = this.#openText(kind);
    const whole = this.#wholeCharacters(delta);
    if (block === undefined || whole === "") return events;
    block.text += whole;
    block.json += JSON.stringify(whole).slice(1, -1);
    return [...events, { type: `${kind}_delta`, contentIndex: this.#blocks.indexOf(block), delta: whole }];
  }

  /** Ends the open block. */
  close(): DraftEvent[] {
    const block = this.#blocks.at(-1);
    if (!this.#isOpen || block === undefined || block.kind === "toolCall") return [];
    this.#isOpen = false;
    this.#half = "";
    return [{ type: `${block.kind}_end`, contentIndex: this.#blocks.length - 1, content: block.text }];
  }

  startCall(id: string, name: string): DraftEvent[] {
    const events = this.close();
    this.#blocks.push({ kind: "toolCall", id, name, args: "", isWhole: false });
    return [...events, { type: "toolcall_start", contentIndex: this.#blocks.length - 1 }];
  }

  growCall(id: string, delta: string): DraftEvent[] {
    const block = this.#call(id);
    if (block === undefined) return [];
    block.args += delta;
    return [{ type: "toolcall_delta", contentIndex: this.#blocks.indexOf(block), delta: delta.toWellFormed() }];
  }

  endCall(id: string): DraftEvent[] {
    const block = this.#call(id);
    if (block === undefined) return [];
    block.isWhole = true;
    return [{ type: "toolcall_end", contentIndex: this.#blocks.indexOf(block), toolCall: toolCall(block) }];
  }

  /** The message so far. */
  message(): OmpAssistantMessage {
    return { ...this.#frame(), content: this.#blocks.map(ompBlockOf) };
  }

  /** The same as JSON. */
  json(): string {
    const blocks = this.#blocks.map((block) =>
      block.kind === "toolCall"
        ? JSON.stringify(toolCall(block))
        : `{"type":"${block.kind}","${block.kind}":"${block.json}"}`,
    );
    const { role, content: _content, ...rest } = this.#frame();
    return `{"role":"${role}","content":[${blocks.join(",")}],${JSON.stringify(rest).slice(1)}`;
  }

  #frame(): OmpAssistantMessage {
    const { provider, model, timestamp } = this.#source;
    return {
      role: "assistant",
      content: [],
      api: API,
      provider,
      model,
      usage: NO_OMP_USAGE,
      stopReason: "stop",
      timestamp,
    };
  }

  #openText(kind: TextKind): TextBlock | undefined {
    const block = this.#blocks.at(-1);
    return this.#isOpen && block?.kind === kind ? block : undefined;
  }

  #start(kind: TextKind): DraftEvent {
    this.#blocks.push({ kind, text: "", json: "" });
    this.#isOpen = true;
    return { type: `${kind}_start`, contentIndex: this.#blocks.length - 1 };
  }

  #call(id: string): CallBlock | undefined {
    return this.#blocks.find((block): block is CallBlock => block.kind === "toolCall" && block.id === id);
  }

  /** A delta may end within a surrogate pair; half a character waits for its other half. */
  #wholeCharacters(delta: string): string {
    const text = this.#half + delta;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    return (this.#half === "" ? text : text.slice(0, -1)).toWellFormed();
  }
}

function ompBlockOf(block: TextBlock | CallBlock): OmpBlock {
  if (block.kind === "toolCall") return toolCall(block);
  return block.kind === "text" ? { type: "text", text: block.text } : { type: "thinking", thinking: block.text };
}

/** Arguments are an object once they are whole, and none before. */
function toolCall({ id, name, args, isWhole }: CallBlock): OmpToolCall {
  return { type: "toolCall", id, name, arguments: isWhole ? parsedArguments(args) : {} };
}
