import { askAside } from "../../../agent/side-question.ts";
import { requestId } from "../client-dialogs.ts";
import type { RpcEngine } from "../engine.ts";
import { faultText, RpcError } from "../error.ts";
import { SIDE_QUESTIONS_MAX } from "../limits.ts";
import type { FrameWriter } from "./frame-writer.ts";

/** One question and its answer; a record of them is one topic (rpc-wire.md §3.7). */
interface SideTurn {
  readonly question: string;
  answer: string;
  status: "running" | "complete" | "cancelled" | "error";
  readonly createdAt: number;
  updatedAt: number;
  error?: string;
}

interface SideRecord extends SideTurn {
  readonly id: string;
  readonly leafId: string | null;
  followUps?: SideTurn[];
}

export interface SideQuestionsOptions {
  readonly engine: RpcEngine;
  readonly writer: FrameWriter;
  readonly leafId: () => string | null;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Questions beside the conversation, which leave no trace in it (§3.7): one at a time, kept for this process, newest
 * first.
 */
export class SideQuestions {
  readonly #options: SideQuestionsOptions;
  #records: SideRecord[] = [];
  #running: { readonly record: SideRecord; readonly abort: AbortController; readonly over: Promise<void> } | undefined;

  constructor(options: SideQuestionsOptions) {
    this.#options = options;
  }

  /** As the client gets them. */
  get records(): readonly object[] {
    return this.#records.map((record) => ({ ...record }));
  }

  /**
   * Asks; gives the record, whose answer is still to come. Throws `RpcError`.
   * @param recordId the topic to go on with
   */
  ask(question: string, recordId: string | undefined): object {
    if (this.#running !== undefined) throw new RpcError("A /btw question is still running; cancel it first");
    const topic = recordId === undefined ? undefined : this.#records.find(({ id }) => id === recordId);
    if (recordId !== undefined && topic === undefined) throw new RpcError(`Unknown /btw topic: ${recordId}`);
    if ((topic?.followUps?.length ?? 0) >= SIDE_QUESTIONS_MAX) throw new RpcError("This /btw topic is full");
    const turn = newTurn(question);
    const record = topic ?? { id: requestId(), leafId: this.#options.leafId(), ...turn };
    if (topic === undefined) this.#records = [record, ...this.#records].slice(0, SIDE_QUESTIONS_MAX);
    else topic.followUps = [...(topic.followUps ?? []), turn];
    const asked = topic === undefined ? record : turn;
    const abort = new AbortController();
    this.#tell(record);
    const over = this.#answer(record, asked, abort.signal).catch(this.#options.onDefect);
    this.#running = { record, abort, over };
    return { ...record };
  }

  /** False when nothing runs, or another topic. */
  cancel(recordId: string | undefined): boolean {
    const running = this.#running;
    if (running === undefined || (recordId !== undefined && running.record.id !== recordId)) return false;
    running.abort.abort();
    return true;
  }

  /** Cancels what runs, and resolves when that has been told. */
  async end(): Promise<void> {
    this.cancel(undefined);
    await this.#running?.over;
  }

  async #answer(record: SideRecord, turn: SideTurn, signal: AbortSignal): Promise<void> {
    const { engine, writer } = this.#options;
    // The record is announced and acknowledged before anything of it can come.
    await Promise.resolve();
    const listener = {
      delta: (delta: string): void => {
        turn.answer += delta;
        writer.event("btw_delta", { recordId: record.id, delta });
      },
    };
    try {
      const fault = await askAside(engine.agent, withHistory(record, turn), listener, signal);
      if (signal.aborted) turn.status = "cancelled";
      else if (fault === undefined) turn.status = "complete";
      else failed(turn, fault);
    } catch (error) {
      failed(turn, faultText(error));
    }
    turn.updatedAt = Date.now();
    this.#running = undefined;
    this.#tell(record);
  }

  #tell(record: SideRecord): void {
    this.#options.writer.event("btw_record", { record: { ...record } });
  }
}

function newTurn(question: string): SideTurn {
  const now = Date.now();
  return { question, answer: "", status: "running", createdAt: now, updatedAt: now };
}

function failed(turn: SideTurn, error: string): void {
  turn.status = "error";
  turn.error = error;
}

/** The question, behind what was asked and answered on this topic before. */
function withHistory(record: SideRecord, turn: SideTurn): string {
  const before = [record, ...(record.followUps ?? [])].filter((other) => other !== turn && other.answer !== "");
  const told = before.map(({ question, answer }) => `Asked before: ${question}\nAnswered: ${answer}\n\n`);
  return `${told.join("")}${turn.question}`;
}
