import { join } from "node:path";
import { type Candidate, discover } from "../../host/launch/discovery.ts";
import { leaf } from "../command.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";

const WIDTHS = [12, 20, 10, 8, 10] as const;
const TITLES = ["SCOPE", "NAME", "VERSION", "ENABLED", "LANGUAGE"] as const;

/** `zot ext list`: what is installed, from files alone; nothing is started (extension-host.md §7.5). */
export const listCommand = leaf({
  name: "list",
  description: "list installed and project extensions; starts nothing",
  flags: { cwd: { type: "string", valueHint: "DIR", description: "the project directory" } },
  example: "zot ext list",
  async run({ values }) {
    const home = zotHome(process.env);
    const found = discover({ explicit: [], scan: true, cwd: directory(values.cwd), home });
    if (found.length === 0) {
      console.error(`no extensions installed\nput one into ${join(home, "extensions")}, or try one with zot --ext DIR`);
      return 0;
    }
    console.log([row(TITLES, "DIR"), ...found.map(describe)].join("\n"));
    return 0;
  },
});

function describe({ scope, name, manifest, verdict, dir }: Candidate): string {
  const enabled = manifest?.enabled ?? true;
  const cells = [scope, name, manifest?.version ?? "", enabled ? "yes" : "no", manifest?.language ?? ""] as const;
  switch (verdict.kind) {
    case "error":
      return row([scope, name, "", "error", ""], `${dir}: ${verdict.error.message}`);
    case "shadowed":
      return row(cells, `${dir} (not used: ${verdict.by} comes first)`);
    default:
      return row(cells, dir);
  }
}

function row(cells: readonly string[], last: string): string {
  const padded = cells.map(
    (cell, index) => cell + " ".repeat(Math.max(0, (WIDTHS[index] ?? 0) - Bun.stringWidth(cell))),
  );
  return [...padded, last].join(" ");
}
