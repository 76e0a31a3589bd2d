import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileError } from "./file-error.ts";
import { MODEL_TEXT_MAX_BYTES } from "./limits.ts";
import { resolvePath } from "./path.ts";
import { replaceFile } from "./replace-file.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tool.ts";
import { clipWithMarker } from "./utf8.ts";

export interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

/** Creates or overwrites a file with exact content (extension-host.md §8.1). */
export const writeTool: BuiltinTool<WriteArguments> = {
  name: "write",
  description:
    "Write a file: creates it and its parent directories, or replaces its whole content. The content is written exactly as given.",
  schema: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "File to write, absolute or relative to the project directory",
      },
      content: { type: "string", description: "The complete content of the file" },
    },
    required: ["path", "content"],
  },
  run,
};

async function run(args: WriteArguments, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) return textOutcome("cancelled", true);
  const path = resolvePath(context.cwd, args.path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  } catch (error) {
    return textOutcome(fileError(args.path, error), true);
  }
  const failure = await replaceFile(path, Buffer.from(args.content, "utf8"));
  if (failure !== null) return textOutcome(`${args.path}: ${failure}`, true);
  return textOutcome(
    clipWithMarker(args.content, MODEL_TEXT_MAX_BYTES, `... [truncated at ${MODEL_TEXT_MAX_BYTES} bytes]`),
  );
}
