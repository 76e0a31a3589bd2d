import {
  type ModelServer,
  type RecordedRequest,
  type Script,
  startModelServer,
  type Turn,
} from "../../support/model-server.ts";
import { isRecord } from "./shape.ts";

/** Requests that one server answers; more than any scenario has. */
const REQUESTS = 200;

/**
 * A model that does what the prompt says, for scenarios: `TOOL:name:{json}END` calls a tool, `HANG` talks until it is
 * cut off, `FAIL400` and `FAIL503` refuse, `BIG:n` answers with n characters, anything else gets "Hello from fake.".
 */
export function scriptedModel(): Promise<ModelServer> {
  return startModelServer(Array.from({ length: REQUESTS }, (): Script => answer));
}

function answer(request: RecordedRequest): Turn {
  const last = lastMessage(request);
  if (last.role === "tool") return { text: ["tool said: ", last.text] };
  const calls = [...last.text.matchAll(/TOOL:(\w+):(.*?)END/gs)].map(([, name, raw = "{}"]) => ({
    name,
    raw,
    fragment: 15,
  }));
  if (calls.length > 0) return { text: "calling ", calls };
  const big = /BIG:(\d+)/.exec(last.text)?.[1];
  if (big !== undefined) return { text: bigText(Number(big)) };
  if (last.text.includes("HANG")) return { text: Array<string>(2_000).fill("tick "), pace: 20 };
  if (last.text.includes("FAIL400")) return { status: 400, error: { message: "fake bad request" } };
  if (last.text.includes("FAIL503")) return { status: 503, error: { message: "Overloaded, try again" } };
  return { text: ["Hello ", "from ", "fake."] };
}

/** Text that does not compress and holds characters of two and three bytes, in pieces. */
function bigText(size: number): string[] {
  const piece = "Größe 大小 0123456789 abcdefghij ".repeat(size > 2_000_000 ? 1_024 : 64);
  return Array.from({ length: Math.ceil(size / piece.length) }, () => piece);
}

function lastMessage(request: RecordedRequest): { readonly role: string; readonly text: string } {
  const messages = request.at("messages");
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (last === null || typeof last !== "object") return { role: "", text: "" };
  const { role, content } = { role: "", content: "", ...last };
  return { role: String(role), text: textIn(content) };
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isRecord(part) ? String(part["text"] ?? "") : "")).join("");
}
