import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Candidate } from "../../../host/launch/discovery.ts";
import { safeLine } from "../text/safe-text.ts";
import { BUILTIN_THEMES } from "./builtin.ts";
import type { Theme } from "./roles.ts";
import { readTheme } from "./theme-file.ts";

/** Files in one folder that are looked at. */
const FILES_MAX = 200;

export interface ShelvedTheme {
  readonly theme: Theme;
  /** Where it comes from, for the picker. */
  readonly origin: string;
}

/** Every theme there is: our own, `<home>/themes/*.json`, and those that extensions ship (extension-host.md §1.3). */
export class ThemeShelf {
  readonly #folder: string;
  readonly #candidates: () => readonly Candidate[];

  constructor(home: string, candidates: () => readonly Candidate[]) {
    this.#folder = join(home, "themes");
    this.#candidates = candidates;
  }

  /** Read anew each time; the first of a name counts. `faults` are lines for a human. */
  load(): { readonly themes: readonly ShelvedTheme[]; readonly faults: readonly string[] } {
    const themes = new Map<string, ShelvedTheme>(
      BUILTIN_THEMES.map((theme) => [theme.name, { theme, origin: "built in" }]),
    );
    const faults: string[] = [];
    const put = (path: string, name: string, origin: string): void => {
      const file = readTheme(path, name);
      if ("fault" in file) faults.push(`theme ${file.fault}`);
      else if (!themes.has(file.theme.name)) themes.set(file.theme.name, { theme: file.theme, origin });
    };
    for (const file of themeFiles(this.#folder)) put(join(this.#folder, file), basename(file, ".json"), "yours");
    for (const { dir, manifest, verdict } of this.#candidates()) {
      const path = verdict.kind === "winner" ? shippedTheme(dir) : undefined;
      if (path !== undefined && manifest !== undefined)
        put(path, manifest.name, `from ${safeLine(manifest.name, "strip")}`);
    }
    return { themes: [...themes.values()], faults };
  }
}

function themeFiles(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return files.sort().slice(0, FILES_MAX);
  } catch {
    // There are none, which is the usual case.
    return [];
  }
}

function shippedTheme(dir: string): string | undefined {
  return [join(dir, "theme.json"), join(dir, "themes", "theme.json")].find((path) => existsSync(path));
}
