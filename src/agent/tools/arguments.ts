import type { CoercingValidator, ValidationError } from "@earendil-works/pi-schema";
import { isRecord, type ParsedArguments, parseArguments } from "./raw-arguments.ts";

type JsonSchemaObject = Readonly<Record<string, unknown>>;

const MAX_SHOWN_ERRORS = 3;
/** Keyed by identity: a tool that is registered anew brings a new schema, and the old one goes with its tool. */
const validators = new WeakMap<JsonSchemaObject, CoercingValidator>();

/**
 * Turns the raw JSON text that a model wrote into arguments that satisfy the tool's schema (extension-host.md §8.1).
 * Small slips are mended (`"10"` for a number, one item for a list, null for an optional property); what would make
 * up content is refused. Never throws: `message` is for the model. The validator is loaded by the first call.
 */
export async function checkArguments(
  tool: { readonly schema: JsonSchemaObject },
  rawText: string,
): Promise<ParsedArguments> {
  const parsed = parseArguments(rawText);
  if (!parsed.ok) return parsed;
  try {
    const validator = validators.get(tool.schema) ?? (await compileSchema(tool.schema));
    return checkParsed(validator, parsed.args);
  } catch (error) {
    // A bad `pattern` throws when it is compiled, and only the extension that sent the schema can mend that.
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `invalid args: the tool's own schema is unusable: ${problem}` };
  }
}

async function compileSchema(schema: JsonSchemaObject): Promise<CoercingValidator> {
  const [{ compile }, { formats }] = await Promise.all([
    import("@earendil-works/pi-schema"),
    import("@earendil-works/pi-schema/formats"),
  ]);
  const validator = compile(schema, { formats, coerce: true, unresolvedRefs: "reject" });
  validators.set(schema, validator);
  return validator;
}

function checkParsed(validator: CoercingValidator, args: Record<string, unknown>): ParsedArguments {
  if (validator.check(args)) return { ok: true, args };
  const result = validator.parse(args);
  if (!result.ok) return { ok: false, message: `invalid args: ${listErrors(result.errors)}` };
  if (!isRecord(result.value)) return { ok: false, message: "invalid args: not an object" };
  const invented = madeUp(args, result.value, "");
  if (invented !== null) return { ok: false, message: `invalid args: ${invented}` };
  return { ok: true, args: result.value };
}

function listErrors(errors: readonly ValidationError[]): string {
  const shown = errors.slice(0, MAX_SHOWN_ERRORS).map((error) => `${error.path || "/"}: ${error.message}`);
  const more = errors.length - shown.length;
  return more > 0 ? `${shown.join("; ")}; and ${more} more` : shown.join("; ");
}

/**
 * Where coercion replaced something by a value that the model did not write, or null: a missing text (null) becomes
 * the text "null", and a number that JavaScript cannot hold becomes the text of another number. Written into a file,
 * either would be silent damage.
 */
function madeUp(before: unknown, after: unknown, pointer: string): string | null {
  if (before === after) return null;
  if (before === null) return `${pointer || "/"}: expected a value, got null`;
  if (typeof before === "number" && typeof after === "string" && !Number.isSafeInteger(before)) {
    return `${pointer || "/"}: expected string, got number`;
  }
  // A single value for a list was wrapped into one.
  if (Array.isArray(after) && !Array.isArray(before)) return madeUp(before, after[0], `${pointer}/0`);
  if (typeof before !== "object" || typeof after !== "object" || after === null) return null;
  const coerced = new Map(Object.entries(after));
  for (const [key, value] of Object.entries(before)) {
    if (!coerced.has(key)) continue;
    const found = madeUp(value, coerced.get(key), `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (found !== null) return found;
  }
  return null;
}
