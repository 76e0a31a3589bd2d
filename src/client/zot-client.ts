import { Deferred } from "./deferred.ts";
import { type DialogHandlers, Dialogs } from "./dialogs.ts";
import { ZotError } from "./error.ts";
import { EventStream } from "./event-stream.ts";
import { type Fields, type Frame, type ImageContent, isFields, type PromptResult, promptResultOf } from "./frames.ts";
import { type HostTool, HostTools } from "./host-tools.ts";
import { COMMAND_DEADLINE_MS, READY_DEADLINE_MS } from "./limits.ts";
import { ZotProcess, type ZotProcessOptions } from "./zot-process.ts";

export interface ZotClientOptions extends ZotProcessOptions {
  /** Who answers zot's questions. Without it nobody does, and a tool that needs approval does not run. */
  readonly dialogs?: DialogHandlers;
  /** Told what a dialog handler throws; default: it is printed. */
  readonly onError?: (error: unknown) => void;
  /** ms from a command to its response; default 30 s. */
  readonly commandTimeoutMs?: number;
  /** `full`: every `message_update` carries the whole message so far; default `delta`. */
  readonly messageUpdates?: "full" | "delta";
}

export interface PromptOptions {
  readonly images?: readonly ImageContent[];
  /** What becomes of it while something runs; without it such a prompt is refused. */
  readonly streamingBehavior?: "steer" | "followUp";
}

/** A prompt that zot has accepted. */
export interface Prompt {
  readonly id: string;
  /** How it ended. Rejects only when zot is gone. */
  readonly result: Promise<PromptResult>;
}

interface Pending {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

/** `zot rpc` for a program: commands as calls, events as an async iterator, dialogs and tools as functions. */
export class ZotClient implements AsyncDisposable {
  readonly #process: ZotProcess;
  readonly #dialogs: Dialogs;
  readonly #hostTools: HostTools;
  readonly #commandTimeoutMs: number;
  readonly #responses = new Map<string, Pending>();
  readonly #results = new Map<string, Pending>();
  readonly #streams = new Set<EventStream>();
  readonly #ready = new Deferred<void>();
  #end: ZotError | undefined;
  #lastId = 0;
  /** Text of the answer that is being written, and of the last one that was. */
  #answer = "";

  private constructor(options: ZotClientOptions) {
    this.#commandTimeoutMs = options.commandTimeoutMs ?? COMMAND_DEADLINE_MS;
    const send = (frame: Fields): void => this.#process.send(frame);
    this.#dialogs = new Dialogs(options.dialogs ?? {}, send, options.onError ?? console.error);
    this.#hostTools = new HostTools(send);
    this.#process = new ZotProcess(options, {
      frame: (frame) => this.#take(frame),
      ended: (error) => this.#over(error),
    });
  }

  /** Starts zot and waits until it can be talked to. Throws `ZotError` "start", with what zot said on stderr. */
  static async start(options: ZotClientOptions = {}): Promise<ZotClient> {
    const client = new ZotClient(options);
    try {
      await within(client.#ready.promise, READY_DEADLINE_MS, "zot did not get ready");
      await client.request("negotiate_protocol", { protocolVersion: 2 });
      await client.request("set_event_filter", { events: null, messageUpdates: options.messageUpdates ?? "delta" });
      if (options.dialogs?.ask !== undefined) await client.request("set_ask_dialog", { enabled: true });
      return client;
    } catch (error) {
      await client.#process.close(0);
      throw error instanceof ZotError ? new ZotError("start", error.message) : error;
    }
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Sends a command and gives the `data` of its response. Throws `ZotError` "command" with zot's text. */
  async request(type: string, fields: Fields = {}, timeoutMs = this.#commandTimeoutMs): Promise<unknown> {
    const id = this.#nextId();
    return await this.#request(id, type, fields, timeoutMs);
  }

  /** Says something; resolves when zot has taken it. Throws `ZotError` "command" when it does not. */
  async prompt(message: string, options: PromptOptions = {}): Promise<Prompt> {
    const id = this.#nextId();
    const result = new Promise<unknown>((resolve, reject) => this.#results.set(id, { resolve, reject }));
    const fields = result.then((frame) => promptResultOf(isFields(frame) ? frame : {}));
    // Whoever only wants to have said it does not wait for this.
    fields.catch(() => undefined);
    try {
      const data = await this.#request(id, "prompt", { message, ...options }, this.#commandTimeoutMs);
      // A command that zot runs by itself has no result of its own.
      if (isFields(data) && data["agentInvoked"] === false) {
        this.#settle(this.#results, id, { agentInvoked: false, status: "completed", sessionSettled: true });
      }
      return { id, result: fields };
    } catch (error) {
      this.#results.delete(id);
      throw error;
    }
  }

  /**
   * Says something and waits for the answer, as text; "" for a command that zot or an extension runs without the model.
   * Throws `ZotError` when there is none. Of prompts that are said in one run each gets the last answer of that run.
   */
  async ask(message: string, options: PromptOptions = {}): Promise<string> {
    const { result } = await this.prompt(message, options);
    const { status, error, agentInvoked } = await result;
    if (status === "error") throw new ZotError("command", error?.message ?? "the prompt failed", error?.code);
    if (status === "aborted") throw new ZotError("command", "the prompt was aborted", "aborted");
    return agentInvoked ? this.#answer : "";
  }

  /** Says something to the agent at work: before its next request. */
  async steer(message: string): Promise<void> {
    await this.request("steer", { message });
  }

  /** Says something when the agent has finished. */
  async followUp(message: string): Promise<void> {
    await this.request("follow_up", { message });
  }

  /** Ends what runs. */
  async abort(): Promise<void> {
    await this.request("abort");
  }

  async state(): Promise<Fields> {
    return fieldsOf(await this.request("get_state"));
  }

  async messages(): Promise<readonly Fields[]> {
    const { messages } = fieldsOf(await this.request("get_messages"));
    return Array.isArray(messages) ? messages.filter(isFields) : [];
  }

  async setModel(provider: string, modelId: string): Promise<Fields> {
    return fieldsOf(await this.request("set_model", { provider, modelId }));
  }

  async newSession(): Promise<void> {
    await this.request("new_session");
  }

  /** Runs a shell command beside the agent. */
  async bash(command: string, timeoutMs = Number.POSITIVE_INFINITY): Promise<Fields> {
    return fieldsOf(await this.request("bash", { command }, timeoutMs));
  }

  /** The tools of this program from now on, in place of those before. */
  async setHostTools(tools: readonly HostTool[]): Promise<void> {
    await this.request("set_host_tools", { tools: this.#hostTools.set(tools) });
  }

  /** Everything zot tells from now on: `for await (const frame of zot.events())`. Ends with zot. */
  events(): EventStream {
    const stream = new EventStream(() => this.#streams.delete(stream));
    if (this.#end === undefined) this.#streams.add(stream);
    else stream.end();
    return stream;
  }

  /** Lets zot finish what it was asked, and gives its exit status. After `timeoutMs` (10 s) it is made to end. */
  async close(timeoutMs?: number): Promise<number> {
    return await this.#process.close(timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #request(id: string, type: string, fields: Fields, timeoutMs: number): Promise<unknown> {
    if (this.#end !== undefined) throw this.#end;
    const answered = new Promise<unknown>((resolve, reject) => this.#responses.set(id, { resolve, reject }));
    this.#process.send({ id, type, ...fields });
    try {
      return await within(answered, timeoutMs, `zot did not answer ${type}`);
    } finally {
      this.#responses.delete(id);
    }
  }

  #take(frame: Frame): void {
    switch (frame.type) {
      case "ready":
        this.#ready.resolve();
        break;
      case "response":
        this.#responded(frame);
        return;
      case "prompt_result":
        this.#settle(this.#results, String(frame["id"]), frame);
        break;
      case "message_end":
        this.#answer = answerIn(frame["message"]) ?? this.#answer;
        break;
      case "extension_ui_request":
        if (this.#dialogs.take(frame)) return;
        break;
      case "host_tool_call":
      case "host_tool_cancel":
        this.#hostTools.take(frame);
        return;
    }
    for (const stream of [...this.#streams]) stream.push(frame);
  }

  #responded({ id, success, data, error, code }: Frame): void {
    const pending = this.#responses.get(String(id));
    if (success === true) pending?.resolve(data);
    else pending?.reject(new ZotError("command", String(error), typeof code === "string" ? code : undefined));
  }

  #settle(table: Map<string, Pending>, id: string, value: unknown): void {
    table.get(id)?.resolve(value);
    table.delete(id);
  }

  #over(error: ZotError): void {
    this.#end = error;
    this.#ready.reject(error);
    // Whoever waits for it is told; nobody may.
    this.#ready.promise.catch(() => undefined);
    for (const pending of [...this.#responses.values(), ...this.#results.values()]) pending.reject(error);
    this.#dialogs.close();
    this.#hostTools.close();
    for (const stream of [...this.#streams]) stream.end();
  }

  #nextId(): string {
    this.#lastId += 1;
    return `c${this.#lastId}`;
  }
}

/** Text of an assistant message; undefined for any other. */
function answerIn(message: unknown): string | undefined {
  const { role, content } = fieldsOf(message);
  if (role !== "assistant" || !Array.isArray(content)) return undefined;
  return content
    .map((block: unknown) => (isFields(block) && block["type"] === "text" ? String(block["text"]) : ""))
    .join("");
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

async function within<T>(promise: Promise<T>, ms: number, text: string): Promise<T> {
  if (!Number.isFinite(ms)) return await promise;
  const expired = new Deferred<never>();
  const timer = setTimeout(() => expired.reject(new ZotError("timeout", `${text} within ${ms / 1000} s`)), ms);
  try {
    return await Promise.race([promise, expired.promise]);
  } finally {
    clearTimeout(timer);
  }
}
