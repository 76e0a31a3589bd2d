import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isatty } from "node:tty";
import { discover } from "../../host/launch/discovery.ts";
import { logPath } from "../../host/launch/log.ts";
import { pathKind } from "../../host/launch/path-kind.ts";
import { didYouMean } from "../../llm/nearest.ts";
import { plainText } from "../../surfaces/plain-text.ts";
import { CliError, EXIT } from "../error.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "../signals.ts";
import { extCommand } from "./ext-command.ts";
import type { Places } from "./find-installed.ts";
import { readLog } from "./log-reader.ts";
import { CWD_FLAG, theName } from "./named.ts";
import { StdoutBytes } from "./stdout-bytes.ts";

/** `zot ext logs` (extension-host.md §7.5). */
export const logsCommand = extCommand({
  name: "logs",
  description: "print what an extension wrote to stderr, and what the host noted about it",
  words: { name: "the name in extension.json, or the directory name" },
  flags: {
    follow: { type: "boolean", short: "f", description: "go on as the log grows, until Ctrl+C" },
    cwd: CWD_FLAG,
  },
  example: "zot ext logs my-extension -f",
  async run({ values, positionals }) {
    const name = theName("logs", positionals);
    const path = findLog(name, { cwd: directory(values.cwd), home: zotHome(process.env) });
    const stop = new AbortController();
    let ended: EndSignal | undefined;
    using _signals = onEndSignal((signal) => {
      ended = signal;
      stop.abort();
    });
    await print(readLog(path, values.follow === true, stop.signal));
    return ended === undefined ? EXIT.ok : exitStatusOf(ended);
  },
});

/**
 * Until the end, or until the reader goes away. A terminal gets no escape sequences of an extension (architecture.md
 * rule 7); a file or a pipe gets every byte as it is.
 */
async function print(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  const isTerminal = isatty(1);
  const stdout = new StdoutBytes();
  for await (const chunk of chunks) {
    const shown = isTerminal ? plainText(decoder.decode(chunk, { stream: true })) : chunk;
    if (!(await stdout.write(shown))) return;
  }
}

/** Logs are kept by manifest name; people also know the directory. Throws `CliError` when there is none. */
function findLog(name: string, places: Places): string {
  const path = logPath(places.home, name);
  if (pathKind(path) !== undefined) return path;
  const installed = discover({ explicit: [], scan: true, ...places });
  const known = installed.filter(({ dir, manifest }) => basename(dir) === name || manifest?.name === name);
  const byDirectory = known
    .map(({ manifest }) => logPath(places.home, manifest?.name ?? name))
    .find((log) => pathKind(log) !== undefined);
  if (byDirectory !== undefined) return byDirectory;
  const next =
    known.length > 0
      ? "; it is installed, and has a log once it has been started"
      : didYouMean(name, loggedNames(path));
  throw new CliError("failed", `no log for ${JSON.stringify(name)} at ${path}${next}`);
}

function loggedNames(path: string): string[] {
  try {
    return readdirSync(dirname(path)).flatMap((file) => /^ext-(.+)\.log$/.exec(file)?.[1] ?? []);
  } catch {
    // No folder, no logs.
    return [];
  }
}
