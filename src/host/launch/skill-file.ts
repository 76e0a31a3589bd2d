import * as v from "valibot";
import { SKILL_DESCRIPTION_MAX_CHARS, SKILL_FILE_MAX_BYTES, SKILL_NAME_MAX_CHARS } from "../../wire/limits.ts";
import { faultOf } from "../../wire/schemas.ts";
import { systemText } from "../error.ts";
import { readSmallFile } from "./small-file.ts";

/** A `SKILL.md` that was read (extension-host.md §8.3). */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  /** False when only a human may call for it (`disable-model-invocation`). */
  readonly isForModel: boolean;
  /** Everything behind the frontmatter. */
  readonly body: string;
}

const frontmatterSchema = v.looseObject({
  name: v.nullish(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(SKILL_NAME_MAX_CHARS))),
  description: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  "disable-model-invocation": v.nullish(v.boolean(), false),
});

/** The lines of dashes around the frontmatter; the second one is looked for behind the first. */
const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /(?:^|\n)---[ \t]*(?:\r?\n|$)/;

/** Reads one; `fallbackName` stands in for a missing name. Never throws: `fault` is for a human, without the path. */
export function readSkillFile(path: string, fallbackName: string): SkillFile | { readonly fault: string } {
  let text: string;
  try {
    text = readSmallFile(path, SKILL_FILE_MAX_BYTES);
  } catch (error) {
    return { fault: systemText(error) };
  }
  const opening = OPENING.exec(text);
  const rest = text.slice(opening?.[0].length);
  const closing = CLOSING.exec(rest);
  if (opening === null || closing === null) return { fault: "has no frontmatter with a description" };
  let fields: unknown;
  try {
    fields = Bun.YAML.parse(rest.slice(0, closing.index));
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
  const result = v.safeParse(frontmatterSchema, fields ?? {});
  if (!result.success) return { fault: faultOf(result.issues) };
  const { name, description, "disable-model-invocation": isDisabled } = result.output;
  return {
    name: name ?? fallbackName,
    description: description.slice(0, SKILL_DESCRIPTION_MAX_CHARS),
    isForModel: isDisabled !== true,
    body: rest.slice(closing.index + closing[0].length).trim(),
  };
}
