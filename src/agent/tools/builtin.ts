import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { readTool } from "./read.ts";
import type { BuiltinTool } from "./tool.ts";
import { writeTool } from "./write.ts";

/** The tools of the agent itself, in the order in which the model is told of them (extension-host.md §8.1). */
export function builtinTools(): readonly BuiltinTool[] {
  return [readTool, writeTool, editTool, bashTool];
}
