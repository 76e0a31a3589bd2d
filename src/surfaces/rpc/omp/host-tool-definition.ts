import { checkToolSchema } from "../../../host/contributions/tool-schema.ts";
import { TOOL_NAME_PATTERN, TOOLS_PER_EXTENSION_MAX } from "../../../wire/limits.ts";
import { RawJson } from "../../../wire/raw-json.ts";
import { isRecord } from "../command.ts";
import { RpcError } from "../error.ts";

/** A tool that the client runs (rpc-wire.md §3.4). */
export interface HostToolDefinition {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema of the arguments, `type: "object"`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Registered, but neither offered nor callable. */
  readonly isHidden: boolean;
  /** Offered in the tool list from the start; otherwise it has to be looked up first. */
  readonly isEssential: boolean;
}

/** Names that mean a core ability wherever they come from, and so need no looking up (§3.4). */
const ESSENTIAL = new Set("read write bash edit glob find grep eval task wait ask browser web_search".split(" "));

/**
 * Reads the `tools` of `set_host_tools`. Throws `RpcError` with the texts of §3.4.
 * @param isTaken whether the agent has a tool of this name already
 */
export function readHostTools(tools: unknown, isTaken: (name: string) => boolean): HostToolDefinition[] {
  if (!Array.isArray(tools)) throw new RpcError("set_host_tools requires an array of tools");
  if (tools.length > TOOLS_PER_EXTENSION_MAX) {
    throw new RpcError(`set_host_tools takes at most ${TOOLS_PER_EXTENSION_MAX} tools`);
  }
  const read = tools.map((tool: unknown, index) => readOne(tool, index));
  if (new Set(read.map(({ name }) => name)).size < read.length) {
    throw new RpcError("RPC host tool names must be unique");
  }
  const taken = read.find(({ name }) => isTaken(name));
  if (taken !== undefined) throw new RpcError(`RPC host tool "${taken.name}" conflicts with an existing tool`);
  return read;
}

function readOne(tool: unknown, index: number): HostToolDefinition {
  const fields = isRecord(tool) ? tool : {};
  const name = trimmed(fields["name"]);
  if (name === "") throw new RpcError(`Host tool at index ${index} must provide a non-empty name`);
  if (!TOOL_NAME_PATTERN.test(name)) {
    throw new RpcError(`Host tool "${name.slice(0, 80)}": the name must match ${TOOL_NAME_PATTERN.source}`);
  }
  const description = trimmed(fields["description"]);
  if (description === "") throw new RpcError(`Host tool "${name}" must provide a non-empty description`);
  const { hidden, loadMode } = fields;
  if (loadMode !== undefined && loadMode !== "essential" && loadMode !== "discoverable") {
    throw new RpcError(`Host tool "${name}": loadMode must be "essential" or "discoverable"`);
  }
  return {
    name,
    label: trimmed(fields["label"]) || name,
    description,
    schema: readSchema(name, fields["parameters"]),
    isHidden: hidden === true,
    isEssential: loadMode === undefined ? ESSENTIAL.has(name) : loadMode === "essential",
  };
}

function readSchema(name: string, parameters: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(parameters)) throw new RpcError(`Host tool "${name}" must provide a JSON Schema object`);
  const checked = checkToolSchema(RawJson.of(parameters));
  if ("fault" in checked) throw new RpcError(`Host tool "${name}": ${checked.fault}`);
  const value = checked.schema.value();
  return isRecord(value) ? value : {};
}

function trimmed(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
