import { type Decisions, extension, type ToolCallEvent } from "zot/ext";
import { Audit } from "./audit.ts";
import { dangerIn } from "./dangers.ts";

/** Seconds. The bash tool itself sets no limit, and a command that waits for something would hold up the turn. */
const DEFAULT_TIMEOUT = 120;

const ext = extension({ name: "guard", version: "1.0.0" });
let audit: Audit | undefined;

ext.onHello((host) => {
  audit = new Audit(host.dataDir);
});

// An observer sees every call as the model wrote it, whatever interceptors make of it afterwards.
ext.on("tool_call", async ({ toolName, rawArguments }) => {
  await audit?.record({ event: "seen", tool: toolName, detail: rawArguments });
});

// A guard that fails must not open the gate: without an answer the host would let the call through.
ext.intercept("tool_call", decide, { onError: "block" });

await ext.run();

async function decide({ toolName, args }: ToolCallEvent): Promise<Decisions["tool_call"] | undefined> {
  if (toolName !== "bash" || typeof args !== "object" || args === null) return undefined;
  const command = "command" in args && typeof args.command === "string" ? args.command : "";
  const danger = dangerIn(command);
  if (danger !== undefined) {
    await audit?.record({ event: "blocked", tool: toolName, detail: command });
    return { block: true, reason: `guard: this command was not run, because ${danger}` };
  }
  if ("timeout" in args) return undefined;
  await audit?.record({ event: "limited", tool: toolName, detail: command });
  return { modifiedArgs: { ...args, timeout: DEFAULT_TIMEOUT } };
}
