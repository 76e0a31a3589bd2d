import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { BUILTIN_THEMES, DARK } from "./builtin.ts";
import { isColour } from "./colour.ts";
import { ROLES, type Theme } from "./roles.ts";

/** A theme is a list of some thirty colours; anything larger is something else. */
const THEME_MAX_BYTES = 64 * 1024;

const colour = v.pipe(
  v.union([v.string(), v.number()]),
  v.check(isColour, 'a colour is "default", an ANSI name, a number from 0 to 255, or #rrggbb'),
);

/** Made when there is a file to check: forty schemas are not for every start. */
function themeSchema() {
  return v.strictObject({
    $schema: v.optional(v.string()),
    name: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64))),
    /** Which built-in theme fills in the roles that are left out. */
    base: v.optional(v.picklist(BUILTIN_THEMES.map((theme) => theme.name)), DARK.name),
    colors: v.strictObject(Object.fromEntries(ROLES.map((role) => [role, v.optional(colour)]))),
  });
}

export type ThemeFile = { readonly theme: Theme } | { readonly fault: string };

/** Reads `theme.json`: colours by role (`roles.ts`), all optional. Never throws; `fault` is one line for a human. */
export function readTheme(path: string, fallbackName: string): ThemeFile {
  let text: string;
  try {
    if (statSync(path).size > THEME_MAX_BYTES) return { fault: `${path}: larger than ${THEME_MAX_BYTES} bytes` };
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { fault: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
  return parseTheme(text, path, fallbackName);
}

function parseTheme(text: string, path: string, fallbackName: string): ThemeFile {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return { fault: `${path}: not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const result = v.safeParse(themeSchema(), value);
  if (!result.success) {
    const issue = result.issues[0];
    const where = v.getDotPath(issue) ?? "theme";
    const isUnknown = issue.type === "strict_object" && issue.expected === "never";
    return {
      fault: `${path}: ${isUnknown ? `there is nothing called ${where} in a theme` : `${where}: ${issue.message}`}`,
    };
  }
  const { name, base, colors } = result.output;
  const basis = BUILTIN_THEMES.find((theme) => theme.name === base) ?? DARK;
  const colours = { ...basis.colours };
  for (const role of ROLES) {
    const own = colors[role];
    if (own !== undefined) colours[role] = own;
  }
  return { theme: { name: name ?? fallbackName, colours } };
}
