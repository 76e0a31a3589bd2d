import type { FileHandle } from "node:fs/promises";
import { fileError } from "./file-error.ts";
import { hasImageName, imageKind } from "./image-kind.ts";
import { IMAGE_MAX_BYTES, READ_MAX_BYTES, READ_MAX_LINES } from "./limits.ts";
import { openForReading } from "./open-file.ts";
import { resolvePath } from "./path.ts";
import { readLineRange } from "./read/line-range.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tool.ts";

export interface ReadArguments {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Reads a text file by lines, or an image (extension-host.md §8.1). */
export const readTool: BuiltinTool<ReadArguments> = {
  name: "read",
  description: `Read a file. Text comes back as raw lines without line numbers, at most ${READ_MAX_LINES} lines and ${READ_MAX_BYTES} bytes at a time; use offset and limit to page through longer files. PNG, JPEG, GIF and WebP files come back as images.`,
  schema: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "File to read, absolute or relative to the project directory",
      },
      offset: { type: "integer", minimum: 0, description: "First line to read, counted from 1" },
      limit: { type: "integer", minimum: 0, description: `Number of lines to read, at most ${READ_MAX_LINES}` },
    },
    required: ["path"],
  },
  run,
};

async function run(args: ReadArguments, context: ToolContext): Promise<ToolOutcome> {
  try {
    await using file = await openForReading(resolvePath(context.cwd, args.path));
    return await readOpen(file, args, context.signal);
  } catch (error) {
    if (context.signal.aborted) return textOutcome("cancelled", true);
    return textOutcome(fileError(args.path, error), true);
  }
}

async function readOpen(file: FileHandle, args: ReadArguments, signal: AbortSignal): Promise<ToolOutcome> {
  const stat = await file.stat();
  if (stat.isDirectory()) return textOutcome(`${args.path} is a directory`, true);
  if (!stat.isFile()) return textOutcome(`${args.path} is not a regular file`, true);
  if (hasImageName(args.path)) {
    const start = Buffer.alloc(12);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const kind = imageKind(start.subarray(0, bytesRead));
    if (kind !== null) return readImage(file, args.path, kind, stat.size);
  }
  return readText(file, args, signal);
}

async function readImage(file: FileHandle, path: string, mimeType: string, size: number): Promise<ToolOutcome> {
  if (size > IMAGE_MAX_BYTES) {
    const mebibytes = (size / 1024 / 1024).toFixed(1);
    const limit = IMAGE_MAX_BYTES / 1024 / 1024;
    return textOutcome(
      `${path} is an image of ${mebibytes} MiB; the limit is ${limit} MiB. Scale it down first.`,
      true,
    );
  }
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { content: [{ type: "image", mimeType, data: bytes.toString("base64", 0, length) }], isError: false };
}

async function readText(file: FileHandle, args: ReadArguments, signal: AbortSignal): Promise<ToolOutcome> {
  // Models fill optional numbers with 0 to say "not given".
  const firstLine = Math.max(1, args.offset ?? 1);
  const asked = args.limit === undefined || args.limit === 0 ? Number.POSITIVE_INFINITY : args.limit;
  const maxLines = Math.min(asked, READ_MAX_LINES);
  const range = await readLineRange(file, { firstLine, maxLines, maxBytes: READ_MAX_BYTES }, signal);
  if (range.kind === "binary") return textOutcome(`${args.path} looks binary; refusing to read as text`, true);
  if (range.kind === "beyond_end") {
    return textOutcome(`offset ${firstLine} is beyond the end of ${args.path} (${range.lines} lines)`, true);
  }
  if (range.cut === "bytes") return textOutcome(marked(range.text, `truncated at ${READ_MAX_BYTES} bytes`));
  // A cut that the model asked for by `limit` is no news to it.
  if (range.cut === "lines" && asked > READ_MAX_LINES) {
    return textOutcome(marked(range.text, `truncated at ${READ_MAX_LINES} lines`));
  }
  return textOutcome(range.text);
}

function marked(text: string, marker: string): string {
  return `${text}${text.endsWith("\n") ? "" : "\n"}... [${marker}]`;
}
