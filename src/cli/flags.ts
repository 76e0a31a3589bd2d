import { parseArgs } from "node:util";
import type { ArgDef } from "citty";
import { didYouMean } from "../llm/nearest.ts";
import { CliError } from "./error.ts";

/** One flag as a command declares it; help and parsing both come from this. */
export interface Flag {
  readonly type: "boolean" | "string";
  readonly description: string;
  readonly short?: string;
  readonly multiple?: boolean;
  readonly valueHint?: string;
  /** Other spellings, without their dashes. */
  readonly aliases?: readonly string[];
  readonly choices?: readonly string[];
  /** The value may be left out; a word that does not match is none, but the next positional. */
  readonly optionalValue?: RegExp;
}

/** Value hints of flags that name a file or a folder. */
const PLACES: ReadonlySet<string> = new Set(["PATH", "DIR"]);

export type Flags = Readonly<Record<string, Flag>>;

type Value<F extends Flag> = F["type"] extends "boolean" ? boolean : string;

/** What was given: lists for repeatable flags, absent keys for absent flags. */
export type FlagValues<T extends Flags> = {
  readonly [K in keyof T]?: T[K]["multiple"] extends true ? readonly Value<T[K]>[] : Value<T[K]>;
};

export interface Parsed<T extends Flags> {
  readonly values: FlagValues<T>;
  readonly positionals: readonly string[];
}

/**
 * Parses `argv` strictly: flags before and after positionals, `--flag=value` and `--flag value`, `--` ends flags.
 * Throws `CliError` that names the nearest flag. citty alone would accept what it does not know.
 */
export function parseFlags<const T extends Flags>(flags: T, argv: readonly string[]): Parsed<T> {
  const spellings: Spellings = new Map();
  for (const [key, flag] of Object.entries<Flag>(flags)) {
    for (const name of [key, ...(flag.aliases ?? []), ...(flag.short === undefined ? [] : [flag.short])]) {
      spellings.set(name, { key, flag });
    }
  }
  const { tokens } = parseArgs({
    args: withoutGuessing(argv, spellings),
    options: Object.fromEntries([...spellings].map(([name, { flag }]) => [name, optionOf(name, flag)])),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values: Record<string, string | boolean | (string | boolean)[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const known = spellings.get(token.name);
    if (known === undefined) throw new CliError("usage", unknownFlag(token.rawName, spellings));
    const value = flagValue(token.rawName, known.flag, token.value, token.inlineValue);
    const before = values[known.key];
    values[known.key] = known.flag.multiple === true ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return { values: typed<T>(values), positionals };
}

/** The same flags for citty, which prints the help. */
export function cittyArgs(flags: Flags): Record<string, ArgDef> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const alias = [...(flag.short === undefined ? [] : [flag.short])];
      const repeat = flag.multiple === true ? " (repeatable)" : "";
      const description = `${flag.description}${repeat}`;
      if (flag.type === "boolean") return [name, { type: "boolean", description, alias }];
      const valueHint = flag.choices?.join("|") ?? flag.valueHint ?? "VALUE";
      return [name, { type: "string", description, alias, valueHint }];
    }),
  );
}

function optionOf(name: string, flag: Flag): { type: "boolean" | "string"; short?: string } {
  return name.length === 1 ? { type: flag.type, short: name } : { type: flag.type };
}

type Spellings = Map<string, { readonly key: string; readonly flag: Flag }>;

/** An optional value that was left out is written as an empty one: the parser would take whatever comes next, `--` too. */
function withoutGuessing(argv: readonly string[], spellings: Spellings): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, index) => {
    const known = /^--?\w/.test(word) ? spellings.get(word.replace(/^--?/, "")) : undefined;
    if (known?.flag.optionalValue === undefined || (end >= 0 && index > end)) return word;
    return known.flag.optionalValue.test(argv[index + 1] ?? "") ? word : `--${known.key}=`;
  });
}

function flagValue(
  rawName: string,
  flag: Flag,
  value: string | undefined,
  inline: boolean | undefined,
): string | boolean {
  if (flag.type === "boolean") {
    if (inline === true) throw new CliError("usage", `${rawName} takes no value`);
    return true;
  }
  // An unset variable of a script: "" would be the current directory, and its extension would run.
  const isMissing = value === undefined || (value === "" && PLACES.has(flag.valueHint ?? ""));
  if (isMissing) throw new CliError("usage", `${rawName} needs a value`);
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    throw new CliError("usage", `${rawName} must be one of ${flag.choices.join(", ")}; got ${JSON.stringify(value)}`);
  }
  return value;
}

function unknownFlag(rawName: string, spellings: ReadonlyMap<string, unknown>): string {
  const names = [...spellings.keys()].filter((name) => name.length > 1);
  return `unknown flag "${rawName}"${didYouMean(rawName.replace(/^-+/, ""), names).replace("mean ", "mean --")}`;
}

/** The loop above put in nothing but what the table says. */
function typed<T extends Flags>(values: object): FlagValues<T> {
  return values;
}
