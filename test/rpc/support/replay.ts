import { join } from "node:path";
import type { Frame, RpcProcess } from "./rpc-process.ts";
import { type Ids, isRecord, shapeFault } from "./shape.ts";

const FOLDER = join(import.meta.dir, "..", "recorded");

/** One step of a recording: what the client sends, or what it must get next. */
type Step = { readonly in: unknown } | { readonly out: Readonly<Record<string, unknown>> } | { readonly note: string };

/** Frames whose number says nothing: how often an answer is shown while it grows, and our own events beside. */
const NOT_COUNTED = /^(message_update|tool_execution_update|queue_update|ext_.*)$/;

/**
 * Plays a recorded scenario: sends what was sent when everything before it has come, and compares what comes with what
 * came, in order. Throws at the first difference.
 */
export async function replay(name: string, zot: RpcProcess): Promise<void> {
  const ids: Ids = new Map();
  let at = 0;
  for (const step of await steps(name)) {
    if ("note" in step) continue;
    if ("in" in step) {
      zot.send(withIds(step.in, ids));
      continue;
    }
    const { frame, index } = await next(zot, at, step.out);
    at = index + 1;
    const fault = shapeFault(step.out, frame, ids);
    if (fault !== undefined) {
      throw new Error(`${name}: ${fault}\nexpected ${JSON.stringify(step.out)}\ngot      ${JSON.stringify(frame)}`);
    }
  }
}

async function steps(name: string): Promise<Step[]> {
  const text = await Bun.file(join(FOLDER, `${name}.ndjson`)).text();
  return text
    .trim()
    .split("\n")
    .map((line): Step => {
      const step: unknown = JSON.parse(line);
      if (!isRecord(step)) throw new Error(`${name}: not a step: ${line}`);
      if (isRecord(step["out"])) return { out: step["out"] };
      return "in" in step ? { in: step["in"] } : { note: String(step["note"]) };
    });
}

async function next(
  zot: RpcProcess,
  from: number,
  wanted: Readonly<Record<string, unknown>>,
): Promise<{ readonly frame: Frame; readonly index: number }> {
  const counts = (frame: Frame): boolean => frame.type === wanted["type"] || !NOT_COUNTED.test(frame.type);
  const frame = await zot.until(counts, JSON.stringify(wanted), from);
  return { frame, index: zot.frames.indexOf(frame, from) };
}

/** A line for the client's side; ids of the recording become those of this run. */
function withIds(line: unknown, ids: Ids): string {
  const text = typeof line === "string" ? line : JSON.stringify(line);
  const replaced = [...ids].reduce((sum, [recorded, actual]) => sum.replaceAll(recorded, actual), text);
  return replaced.endsWith("\n") ? replaced : `${replaced}\n`;
}
