import { discover } from "../../host/launch/discovery.ts";
import { globalRoot } from "../../host/launch/roots.ts";
import { CliError, EXIT } from "../error.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { extCommand } from "./ext-command.ts";
import { hintsFor } from "./install/check.ts";
import { type Installation, type InstallRequest, install } from "./install/installer.ts";
import { ProgressLine } from "./install/progress.ts";
import { sourceOf } from "./install/source.ts";
import { NAMED_PATHS_MAX } from "./limits.ts";
import { oneLine } from "./one-line.ts";

/** `zot ext install` (extension-host.md §7.6). */
export const installCommand = extCommand({
  name: "install",
  description: "copy a folder or clone a git repository into zot's extensions; runs nothing of it",
  words: { source: "a folder with extension.json, or a git URL: https://…, ssh://…, git@…, or ending in .git" },
  flags: { force: { type: "boolean", description: "replace an installed extension of the same name" } },
  example: "zot ext install ./my-extension",
  async run({ values, positionals }, terminal) {
    const [given, ...more] = positionals;
    if (given === undefined) throw new CliError("usage", "zot ext install needs a folder or a git URL");
    if (more.length > 0)
      throw new CliError("usage", `zot ext install takes one folder or URL; got ${positionals.length}`);
    const outcome = await untilSignal({
      source: sourceOf(given),
      extensionsDir: globalRoot(zotHome(process.env)),
      force: values.force === true,
      onWarning: (text) => terminal.warn(text),
    });
    if (typeof outcome === "string") {
      terminal.error("interrupted; nothing was installed");
      return exitStatusOf(outcome);
    }
    tell(outcome, terminal);
    return EXIT.ok;
  },
});

type Wanted = Omit<InstallRequest, "signal" | "onProgress" | "showsProgress">;

async function untilSignal(wanted: Wanted): Promise<Installation | EndSignal> {
  using progress = new ProgressLine();
  const controller = new AbortController();
  let ended: EndSignal | undefined;
  using _signals = onEndSignal((signal) => {
    ended = signal;
    controller.abort();
  });
  try {
    return await install({
      ...wanted,
      signal: controller.signal,
      showsProgress: progress.isShown,
      onProgress: (text) => progress.show(text),
    });
  } catch (error) {
    if (ended === undefined) throw error;
    return ended;
  }
}

function tell({ manifest, dir, skipped, leftOut }: Installation, terminal: Terminal): void {
  const title = [manifest.name, manifest.version].filter((part) => part !== "").join(" ");
  console.log(oneLine(`installed ${title} in ${dir}; it loads at the next start or /reload-ext`));
  const named = [...skipped].map(([path, reason]) => `not installed: ${path} is ${reason}`);
  for (const line of firstFew(named, (count) => `not installed: ${count} more of that kind`)) terminal.warn(line);
  if (leftOut.length > 0) {
    const paths = firstFew(leftOut, (count) => `${count} more`).join(", ");
    terminal.line(oneLine(`not installed, since git ignores it: ${paths}`));
  }
  for (const hint of [...hintsFor(manifest, dir), ...rivals(dir)]) terminal.warn(hint);
}

function firstFew(lines: readonly string[], rest: (count: number) => string): readonly string[] {
  if (lines.length <= NAMED_PATHS_MAX) return lines;
  return [...lines.slice(0, NAMED_PATHS_MAX), rest(lines.length - NAMED_PATHS_MAX)];
}

/** Something else may bear the name, in the project or under another directory name (extension-host.md §1.2). */
function rivals(dir: string): string[] {
  const found = discover({ explicit: [], scan: true, cwd: directory(undefined), home: zotHome(process.env) });
  return found.flatMap(({ dir: place, verdict }) =>
    place === dir && verdict.kind === "shadowed" ? [`it is not used here: ${verdict.by} comes first`] : [],
  );
}
