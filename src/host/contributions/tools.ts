import { TOOL_DEADLINE_MS } from "../../wire/limits.ts";
import { RawJson } from "../../wire/raw-json.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import type { Registry, ToolRegistration } from "./registry.ts";
import { readContent, readToolResult, type ToolContent, type ToolResult } from "./tool-result.ts";

/** How long a failing call waits for the exit status of a child that has just closed its stdout, in ms. */
const EXIT_STATUS_WAIT_MS = 50;

/** A tool of an extension, as the agent offers it to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: RawJson;
  readonly extension: string;
  readonly deferred: boolean;
}

/** Calling the tools of extensions (extension-host.md §4.2). */
export class Tools {
  readonly #registry: Registry;
  readonly #attachment: Pick<Attachment, "interactive">;

  constructor(registry: Registry, attachment: Pick<Attachment, "interactive">) {
    this.#registry = registry;
    this.#attachment = attachment;
  }

  /** Owned and live, in load order; deferred ones are marked. */
  get offered(): OfferedTool[] {
    return this.#registry.tools.map((tool) => ({ ...tool, extension: tool.extension.name }));
  }

  /** Changes whenever the list may have. */
  get revision(): number {
    return this.#registry.revision;
  }

  /** Manifest name of the extension that a call would go to. */
  ownerOf(name: string): string | undefined {
    return this.#registry.tool(name)?.extension.name;
  }

  /**
   * Runs one call; never rejects. `args` is the raw text of the model or of an interceptor.
   * @param onUpdate progress of this call (feature `tool_update`), each time what there is to show; never for the model
   */
  async call(
    name: string,
    args: string,
    signal: AbortSignal,
    onUpdate?: (content: readonly ToolContent[]) => void,
  ): Promise<ToolResult> {
    const tool = this.#registry.tool(name);
    if (tool === undefined) return failure(`no extension registered for tool "${name}"`);
    const label = `extension ${tool.extension.name}/${name}`;
    const { connection } = tool.extension;
    if (connection === undefined) return failure(`${label} failed: extension ${tool.extension.name} is not running`);
    if (tool.interactive && !this.#attachment.interactive) {
      return failure(`${label} is interactive and requires an interactive host`);
    }
    const raw = argumentsOf(args);
    if (raw === undefined) return failure(`${label} failed: invalid JSON arguments`);

    let id = "";
    const end = await connection.call(
      "tool_call",
      { name, args: raw },
      {
        signal,
        onId: (minted) => {
          id = minted;
        },
        onUpdate: (frame) => {
          const { content } = readContent(tool.extension.name, frame["content"]);
          if (content.length > 0) onUpdate?.(content);
        },
        ...(tool.interactive ? {} : { deadlineMs: TOOL_DEADLINE_MS }),
      },
    );
    switch (end.kind) {
      case "answer":
        return readToolResult(tool.extension.name, end.frame, end.line);
      case "timeout":
        cancel(tool, id);
        return failure(`${label} failed: timeout waiting for ${tool.extension.name}/${name}`);
      case "cancelled":
        cancel(tool, id);
        return failure(`${label} cancelled: context canceled`);
      case "too_long":
        return failure(`${label} failed: the arguments exceed the frame limit of the extension protocol`);
      case "disconnected":
        return failure(`extension ${tool.extension.name} disconnected${await reasonOf(tool.extension)}`);
    }
  }
}

/** The call was abandoned; only those who asked for it are told (§3.2). */
function cancel(tool: ToolRegistration, id: string): void {
  if (!tool.extension.hello?.capabilities.includes("tool_cancel")) return;
  tool.extension.connection?.send("tool_cancel", { id });
}

async function reasonOf(extension: Extension): Promise<string> {
  if (extension.fault !== undefined) return `: ${extension.fault}`;
  const exit = await extension.exitText(EXIT_STATUS_WAIT_MS);
  return exit === undefined ? "" : ` (${exit})`;
}

/** A JSON object; nothing at all means none. Undefined: not an object, so nothing may be sent (defect 19). */
function argumentsOf(text: string): RawJson | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return RawJson.parse("{}");
  try {
    const raw = RawJson.parse(trimmed);
    return raw.isObject ? raw : undefined;
  } catch {
    // Not JSON: the caller answers the model.
    return undefined;
  }
}

function failure(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true, activate: [] };
}
