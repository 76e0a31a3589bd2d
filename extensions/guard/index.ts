import { type Decisions, extension, type ToolCallEvent } from "zot/ext";
import { Audit } from "./audit.ts";
import { dangerIn } from "./dangers.ts";
import { dangerAt, type FileUse } from "./files.ts";

/** Seconds. The bash tool itself sets no limit, and a command that waits for something would hold up the turn. */
const DEFAULT_TIMEOUT = 120;
const FILE_TOOLS: ReadonlyMap<string, FileUse> = new Map([
  ["read", "read"],
  ["write", "change"],
  ["edit", "change"],
]);
const SHOWN = 10;

const ext = extension({ name: "guard", version: "1.1.0" });

ext.onHello((host) => {
  const audit = new Audit(host.dataDir);
  let blocked = 0;

  // An observer sees every call as the model wrote it, whatever interceptors make of it afterwards.
  ext.on("tool_call", async ({ toolName, rawArguments }) => {
    await audit.record({ event: "seen", tool: toolName, detail: rawArguments });
  });

  // A guard that fails must not open the gate: without an answer the host would let the call through.
  ext.intercept("tool_call", decide, { onError: "block" });

  ext.command("guard", { description: "what the guard has blocked" }, async () => {
    const lines = await audit.blocked(SHOWN);
    return lines.length === 0 ? "nothing was blocked" : `blocked, newest first:\n${lines.join("\n")}`;
  });

  async function decide({ toolName, args }: ToolCallEvent): Promise<Decisions["tool_call"] | undefined> {
    if (typeof args !== "object" || args === null) return undefined;
    const use = FILE_TOOLS.get(toolName);
    if (use !== undefined && "path" in args && typeof args.path === "string") {
      const danger = await dangerAt(host.cwd, args.path, use);
      return danger === undefined
        ? undefined
        : await block(toolName, args.path, `${args.path} was not touched`, danger);
    }
    if (toolName !== "bash") return undefined;
    const command = "command" in args && typeof args.command === "string" ? args.command : "";
    const danger = dangerIn(command);
    if (danger !== undefined) return await block(toolName, command, "this command was not run", danger);
    if ("timeout" in args) return undefined;
    await audit.record({ event: "limited", tool: toolName, detail: command });
    return { modifiedArgs: { ...args, timeout: DEFAULT_TIMEOUT } };
  }

  async function block(tool: string, detail: string, what: string, danger: string): Promise<Decisions["tool_call"]> {
    blocked += 1;
    ext.status("blocked", `${blocked} blocked (/guard)`, "warn");
    await audit.record({ event: "blocked", tool, detail });
    return { block: true, reason: `guard: ${what}, because ${danger}` };
  }
});

await ext.run();
