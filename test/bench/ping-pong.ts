import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The least that an extension can be: no SDK, answers every call and every question at once. */
export interface PingPong {
  /** Absolute, with a manifest. */
  readonly dir: string;
  readonly argv: readonly [string, ...string[]];
  /** Its tool. */
  readonly tool: string;
}

/** Writes one that is called `name` and takes part in every tool call when `intercepts` says so. */
export function writePingPong(folder: string, name: string, intercepts = false): PingPong {
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
export function bareCall({ tool }: PingPong, index: number): string {
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
