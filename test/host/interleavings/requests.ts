import type { ExtensionHost } from "../../../src/host/host.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import type { Request } from "./plan.ts";

const ARGUMENTS: Readonly<Record<Extract<Request, { call: "tool" }>["args"], (number: number) => string>> = {
  proper: (number) => `{"n":${number},"__proto__":{"polluted":1},"big":12345678901234567890}`,
  invalid: (number) => `{"n":${number}`,
  huge: (number) => `{"n":${number},"x":"${"x".repeat(4 * 1024 * 1024)}"}`,
};

/**
 * Asks the host for something as an agent or a surface would, with `number` in it for the extension to give back.
 * Resolves with every text that came of it, which must never reject.
 */
export async function ask(
  host: ExtensionHost,
  request: Request,
  number: number,
  signal: AbortSignal,
  onUpdate: () => void,
): Promise<string> {
  const { tools, commands, intercepts, uris, outcomes } = host;
  switch (request.call) {
    case "tool": {
      const { content } = await tools.call(request.name, ARGUMENTS[request.args](number), signal, onUpdate);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    }
    case "command": {
      const outcome = await commands.invoke(request.name, String(number), signal);
      if (outcome.kind === "error") return outcome.text;
      if (outcome.kind === "cancelled") return "";
      outcomes.perform(outcome);
      return "text" in outcome ? outcome.text : "";
    }
    case "uri": {
      const url = `own://${number}`;
      const result = request.write ? await uris.write(url, "x", signal) : await uris.read(url, signal);
      return "text" in result ? result.text : result.content;
    }
    case "tool_call": {
      const call = { id: `call-${number}`, name: "bash", args: RawJson.of({ n: number }) };
      const verdict = await intercepts.toolCall(call, signal);
      return verdict.kind === "blocked" ? verdict.reason : verdict.args.text;
    }
    case "turn_start": {
      const verdict = await intercepts.turnStart(number, signal);
      return verdict.kind === "blocked" ? verdict.reason : verdict.context;
    }
    case "assistant_message": {
      const verdict = await intercepts.assistantMessage(`message ${number}`, signal);
      return verdict.kind === "blocked" ? verdict.reason : verdict.text;
    }
    case "before_agent_start": {
      const run = { session_id: `s${number}`, agent_run_id: "run", cwd: "/", provider: "offline", model: "rehearsal" };
      return await intercepts.beforeAgentStart(run, "base", signal);
    }
  }
}
