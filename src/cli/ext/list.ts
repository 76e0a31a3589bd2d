import { basename, join } from "node:path";
import { type Candidate, discover } from "../../host/launch/discovery.ts";
import { globalRoot } from "../../host/launch/roots.ts";
import { leaf } from "../command.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";
import { printToStderr } from "../stderr.ts";
import { CWD_FLAG } from "./named.ts";
import { oneLine } from "./one-line.ts";

const WIDTHS = [12, 20, 10, 8, 10] as const;
const TITLES = ["SCOPE", "NAME", "VERSION", "ENABLED", "LANGUAGE"] as const;

/**
 * `zot ext list`: what is installed, from files alone; nothing is started (extension-host.md §7.5). Of several copies
 * it says which one is used, and why the others are not.
 */
export const listCommand = leaf({
  name: "list",
  description: "list installed and project extensions; starts nothing",
  flags: { cwd: CWD_FLAG },
  words: {},
  example: "zot ext list",
  async run({ values }) {
    const home = zotHome(process.env);
    const found = discover({ explicit: [], scan: true, cwd: directory(values.cwd), home });
    if (found.length === 0) {
      const hint = "install one with zot ext install, or try one with zot --ext DIR";
      printToStderr(`no extensions installed\nput one into ${join(globalRoot(home))}: ${hint}`);
      return 0;
    }
    console.log([row(TITLES, "DIR"), ...found.map((candidate) => describe(candidate, found))].join("\n"));
    return 0;
  },
});

function describe(candidate: Candidate, all: readonly Candidate[]): string {
  const { scope, name, manifest, verdict, dir } = candidate;
  if (verdict.kind === "error") return row([scope, name, "", "error", ""], `${dir}: ${verdict.error.message}`);
  const enabled = manifest?.enabled ?? true;
  const cells = [scope, name, manifest?.version ?? "", enabled ? "yes" : "no", manifest?.language ?? ""];
  const note = remark(candidate, all);
  return row(cells, note === undefined ? dir : `${dir} (${note})`);
}

/** What the columns do not say: why an extension does not load, or that it is the one of several that does (§1.2). */
function remark({ dir, verdict }: Candidate, all: readonly Candidate[]): string | undefined {
  switch (verdict.kind) {
    case "disabled":
      return "disabled in its extension.json";
    case "shadowed":
      return `not used: ${reason(dir, verdict.by, all)}`;
    case "winner": {
      const hidden = all.filter((other) => other.verdict.kind === "shadowed" && other.verdict.by === dir);
      return hidden.length === 0 ? undefined : `used; comes before ${hidden.map((other) => other.dir).join(", ")}`;
    }
    default:
      return undefined;
  }
}

function reason(dir: string, by: string, all: readonly Candidate[]): string {
  const kind = all.find((other) => other.dir === by)?.verdict.kind;
  const state = kind === "winner" ? "" : ", although it does not load itself";
  if (basename(dir) === basename(by)) return `the project's ${by} hides it${state}`;
  return `${by} comes first and has the same name`;
}

function row(cells: readonly string[], last: string): string {
  const padded = cells.map((cell, index) => {
    const text = oneLine(cell);
    return text + " ".repeat(Math.max(0, (WIDTHS[index] ?? 0) - Bun.stringWidth(text)));
  });
  return [...padded, oneLine(last)].join(" ");
}
