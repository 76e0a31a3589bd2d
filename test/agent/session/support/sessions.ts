import { readFileSync } from "node:fs";
import { SessionStore } from "../../../../src/agent/session/store.ts";
import type { AssistantMessage, ToolResultBlock, UserMessage } from "../../../../src/llm/messages.ts";
import { type TempDir, tempDir } from "../../../support/temp-dir.ts";

export const MODEL = { provider: "offline", model: "rehearsal" } as const;
const TIME = Date.parse("2026-01-02T03:04:05.678Z");

/** A home of its own with the sessions of one project. */
export interface Home extends AsyncDisposable {
  readonly dir: TempDir;
  readonly store: SessionStore;
  /** What the user was told. */
  readonly warnings: string[];
  /** The sessions of another project in the same home. */
  otherStore(cwd: string): SessionStore;
}

export async function testHome(): Promise<Home> {
  const dir = await tempDir("zot-session-");
  const warnings: string[] = [];
  const storeOf = (cwd: string): SessionStore =>
    new SessionStore({ home: dir.path, cwd, version: "9.9.9", warn: (text) => warnings.push(text) });
  return {
    dir,
    warnings,
    store: storeOf("/project"),
    otherStore: storeOf,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

export function user(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], time: TIME };
}

export function assistant(text: string): AssistantMessage {
  return { role: "assistant", content: [{ type: "text", text }], time: TIME, ...MODEL };
}

export function calls(...ids: string[]): AssistantMessage {
  const content = ids.map((id) => ({ type: "tool_call", id, name: "bash", arguments: '{"command":"true"}' }) as const);
  return { role: "assistant", content, time: TIME, ...MODEL };
}

export function result(callId: string, text = "done"): ToolResultBlock {
  return { type: "tool_result", callId, content: [{ type: "text", text }], isError: false };
}

/** Texts of the messages, tool results included, as a short list to compare. */
export function textsOf(session: { readonly messages: readonly unknown[] }): string[] {
  return session.messages.map((message) =>
    [...JSON.stringify(message).matchAll(/"text":"([^"]*)"/g)].map((m) => m[1]).join("+"),
  );
}

export function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
