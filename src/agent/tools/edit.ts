import { applyToOriginal, applyToText } from "./edit/apply.ts";
import { contextDiff } from "./edit/context-diff.ts";
import { LineMap } from "./edit/line-map.ts";
import { matchReplacements, type Replacement } from "./edit/matching.ts";
import { fileError } from "./file-error.ts";
import { EDIT_MAX_BYTES, MODEL_TEXT_MAX_BYTES } from "./limits.ts";
import { openForReading } from "./open-file.ts";
import { resolvePath } from "./path.ts";
import { replaceFile } from "./replace-file.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tool.ts";
import { clipWithMarker } from "./utf8.ts";

const BOM = "\xef\xbb\xbf";

export interface EditArguments {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

/** Replaces unique pieces of text in a file, all or nothing (extension-host.md §8.1). */
export const editTool: BuiltinTool<EditArguments> = {
  name: "edit",
  description:
    "Replace pieces of text in a file. Each oldText must occur exactly once in the file as it is now; all edits are applied together or not at all, and must not overlap. Line endings need not match: those of the file are kept. Answers with a diff.",
  schema: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "File to edit, absolute or relative to the project directory",
      },
      edits: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            oldText: { type: "string", description: "Text to replace, with enough around it to be unique" },
            newText: { type: "string", description: "Text to put in its place" },
          },
          required: ["oldText", "newText"],
        },
      },
    },
    required: ["path", "edits"],
  },
  run,
};

async function run(args: EditArguments, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) return textOutcome("cancelled", true);
  const path = resolvePath(context.cwd, args.path);
  const read = await readSource(path, args.path);
  if (!read.ok) return textOutcome(read.reason, true);

  const bom = read.source.startsWith(BOM) ? BOM : "";
  const map = new LineMap(read.source.slice(bom.length));
  const replacements = args.edits.map((edit) => ({
    oldText: operand(edit.oldText, bom),
    newText: operand(edit.newText, bom),
  }));
  const matching = matchReplacements(map.text, replacements, args.path);
  if (!matching.ok) return textOutcome(matching.reason, true);

  const edited = bom + applyToOriginal(map, matching.spans);
  const failure = await replaceFile(path, Buffer.from(edited, "latin1"));
  if (failure !== null) return textOutcome(`${args.path}: ${failure}`, true);
  const diff = await contextDiff(shown(map.text), shown(applyToText(map, matching.spans)));
  return textOutcome(clipWithMarker(diff, MODEL_TEXT_MAX_BYTES, `... [truncated at ${MODEL_TEXT_MAX_BYTES} bytes]`));
}

type Source = { readonly ok: true; readonly source: string } | { readonly ok: false; readonly reason: string };

/** The file as a byte string. */
async function readSource(path: string, name: string): Promise<Source> {
  try {
    await using file = await openForReading(path);
    const stat = await file.stat();
    if (stat.isDirectory()) return { ok: false, reason: `${name} is a directory` };
    if (!stat.isFile()) return { ok: false, reason: `${name} is not a regular file` };
    if (stat.size > EDIT_MAX_BYTES) {
      const limit = EDIT_MAX_BYTES / 1024 / 1024;
      return { ok: false, reason: `${name} is too large to edit: ${stat.size} bytes, the limit is ${limit} MiB` };
    }
    return { ok: true, source: (await file.readFile()).toString("latin1") };
  } catch (error) {
    return { ok: false, reason: fileError(name, error) };
  }
}

/** A text of the model in the form that the file is searched in: bytes, LF only, without the mark that we keep aside. */
function operand(text: string, bom: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1").replaceAll("\r\n", "\n");
  return bom !== "" && bytes.startsWith(BOM) ? bytes.slice(BOM.length) : bytes;
}

function shown(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
