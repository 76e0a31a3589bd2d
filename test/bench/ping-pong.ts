import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An extension that answers every call of its one tool. */
export interface Echo {
  /** Absolute, with a manifest. */
  readonly dir: string;
  readonly argv: readonly [string, ...string[]];
  /** Its tool. */
  readonly tool: string;
}

/** Writes the least that one can be: no SDK, and it answers at once. `intercepts`: it wants to see every tool call. */
export function writePingPong(folder: string, name: string, intercepts = false): Echo {
  const dir = join(folder, name);
  const tool = `echo_${name}`;
  const argv = [process.execPath, join(dir, "ping-pong.mjs")] as const;
  const registrations = [
    { type: "hello", name, version: "1" },
    { type: "register_tool", name: tool, description: "answers", schema: { type: "object", properties: {} } },
    ...(intercepts ? [{ type: "subscribe", intercept: ["tool_call"] }] : []),
    { type: "ready" },
  ].map((frame) => `${JSON.stringify(frame)}\n`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "extension.json"), JSON.stringify({ name, exec: argv[0], args: argv.slice(1) }));
  writeFileSync(argv[1], `const GREETING = ${JSON.stringify(registrations.join(""))};\n${PROGRAM}`);
  return { dir, argv, tool };
}

/** What a host sends for one call of its tool. */
export function toolCall({ tool }: Echo, index: number): string {
  return `{"type":"tool_call","id":"t${index}","name":"${tool}","args":{"text":"hello"}}`;
}

const PROGRAM = `
const out = Bun.stdout.writer();
const say = (text) => {
  out.write(text);
  out.flush();
};
say(GREETING);
const decoder = new TextDecoder();
let text = "";
for await (const chunk of Bun.stdin.stream()) {
  text += decoder.decode(chunk, { stream: true });
  for (let end = text.indexOf("\\n"); end !== -1; end = text.indexOf("\\n")) {
    const { type, id } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (type === "tool_call") say('{"type":"tool_result","id":"' + id + '","content":[{"type":"text","text":"hello"}]}\\n');
    else if (type === "event_intercept") say('{"type":"event_intercept_response","id":"' + id + '"}\\n');
  }
}
`;
