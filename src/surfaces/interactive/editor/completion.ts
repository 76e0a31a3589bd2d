import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "@earendil-works/pi-tui/dist/autocomplete.js";
import type { ListedCommand } from "../commands/slash-commands.ts";
import { loadFuzzysort } from "../text/fuzzy.ts";
import { safeLine } from "../text/safe-text.ts";
import type { FileIndex } from "./file-index.ts";

const FILES_SHOWN = 30;
const COMMANDS_SHOWN = 60;
/** `@` at the start of a word, and what has been typed behind it. */
const AT_WORD = /(?:^|[\s([{<`"'])@("[^"]*|[^\s"]*)$/;
const SLASH_WORD = /^\/(\S*)$/;

/** What the popup of the editor offers: commands behind `/`, files behind `@`. */
export class Completion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  readonly #commands: () => readonly ListedCommand[];
  readonly #files: FileIndex;

  constructor(commands: () => readonly ListedCommand[], files: FileIndex) {
    this.#commands = commands;
    this.#files = files;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { signal }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const slash = cursorLine === 0 ? SLASH_WORD.exec(before.trimStart())?.[1] : undefined;
    if (slash !== undefined) return { items: await commandItems(this.#commands(), slash), prefix: `/${slash}` };
    const word = AT_WORD.exec(before)?.[1];
    if (word === undefined) return null;
    const paths = await this.#files.paths();
    if (signal.aborted) return null;
    return { items: await fileItems(paths, word.replace(/^"/, "")), prefix: `@${word}` };
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const head = line.slice(0, cursorCol - prefix.length);
    // A folder is a step on the way: the popup stays open for what is in it.
    const space = item.value.endsWith("/") ? "" : " ";
    const inserted = `${item.value}${space}`;
    const next = `${head}${inserted}${line.slice(cursorCol).replace(/^ /, space === "" ? " " : "")}`;
    return {
      lines: lines.map((old, index) => (index === cursorLine ? next : old)),
      cursorLine,
      cursorCol: head.length + inserted.length,
    };
  }

  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    return AT_WORD.test((lines[cursorLine] ?? "").slice(0, cursorCol));
  }
}

/** Those whose name starts with what was typed, then those it fits somehow. */
async function commandItems(commands: readonly ListedCommand[], typed: string): Promise<AutocompleteItem[]> {
  const wanted = typed.toLowerCase();
  const starting = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const others = (await loadFuzzysort())
    .go(typed, commands, { key: "name", limit: COMMANDS_SHOWN, threshold: 0.4 })
    .map(({ obj }) => obj)
    .filter((command) => !starting.includes(command));
  return [...starting, ...others].slice(0, COMMANDS_SHOWN).map(({ name, description, extension }) => ({
    value: `/${name}`,
    label: safeLine(name, "strip"),
    description: safeLine(extension === undefined ? description : `[${extension}] ${description}`, "strip"),
  }));
}

async function fileItems(paths: readonly string[], typed: string): Promise<AutocompleteItem[]> {
  const found =
    typed === ""
      ? paths.filter((path) => !path.slice(0, -1).includes("/")).slice(0, FILES_SHOWN)
      : (await loadFuzzysort()).go(typed, paths, { limit: FILES_SHOWN }).map(({ target }) => target);
  return found.map((path) => ({
    value: /[\s"']/.test(path) ? `@"${path}"` : `@${path}`,
    label: safeLine(path, "strip"),
  }));
}
