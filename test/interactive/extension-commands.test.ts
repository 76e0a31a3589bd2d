import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

async function extension(folder: string, name: string, script: string): Promise<string> {
  const dir = join(folder, name);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "extension.json"), JSON.stringify({ name, exec: "./run.sh" }));
  await writeFile(join(dir, "run.sh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return dir;
}

const HELLO = (name: string): string => `echo '{"type":"hello","name":"${name}","version":"1","protocol_version":2}'`;

/** Never answers its command. */
const DEAF = `${HELLO("deaf")}
echo '{"type":"register_command","name":"ponder","description":"thinks for ever"}'
echo '{"type":"ready"}'
while read -r line; do :; done`;

/** A panel of 40 rows, the third of which is chosen. */
const TALL = `${HELLO("tall")}
echo '{"type":"register_command","name":"tall"}'
echo '{"type":"ready"}'
rows='"> row 1"'
i=2
while [ $i -le 40 ]; do rows="$rows,\\"  row $i\\""; i=$((i+1)); done
while read -r line; do
  case "$line" in *command_invoked*)
    id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
    echo '{"type":"command_response","id":"'$id'","action":"open_panel","open_panel":{"id":"p","title":"Tall","lines":['"$rows"'],"footer":"end"}}'
  esac
done`;

describe.skipIf(!zotIsBuilt)("commands of extensions on the screen", () => {
  test("one that takes its time is seen, and esc ends the wait", async () => {
    await using dir = await tempDir();
    await using screen = await openScreen(offline(await extension(dir.path, "deaf", DEAF)));
    await screen.shows(/deaf \(\d+ ms\)/);
    await screen.enter("/ponder");
    await screen.shows("running /ponder · esc cancels");
    await screen.press("escape");
    await screen.hides("running /ponder");
    await screen.enter("say still here");
    await screen.shows(/^still here$/m);
  });

  test("a panel is paged by what it shows, and its chosen row does not hold it", async () => {
    await using dir = await tempDir();
    await using screen = await openScreen(offline(await extension(dir.path, "tall", TALL)), { rows: 30 });
    await screen.shows(/tall \(\d+ ms\)/);
    await screen.enter("/tall");
    await screen.shows("row 1");
    const shown = (): number[] => [...screen.text.matchAll(/row (\d+)$/gm)].map(([, row]) => Number(row));
    const first = shown();
    await screen.press("pageDown");
    await screen.until(() => shown()[0] === (first.at(-1) ?? 0) + 1, "the next page");
    expect(shown()).toHaveLength(first.length);
    await screen.press("pageUp");
    await screen.until(() => shown()[0] === 1, "the first page");
  });

  test("what an extension said when it died is shown, before the slowest of the others has started", async () => {
    await using dir = await tempDir();
    const mute = await extension(dir.path, "mute", "exec sleep 20");
    const broken = await extension(dir.path, "broken", "echo 'oops at run.sh:7' >&2; exit 3");
    await using screen = await openScreen(offline(mute, broken), { cols: 200 });
    await screen.shows(/extension load: .*exit status 3/);
    await screen.shows("oops at run.sh:7");
    await screen.shows("mute (starting)");
  });

  test("those of the project are named, for nobody was asked about them", async () => {
    await using cwd = await tempDir();
    await extension(join(cwd.path, ".zot", "extensions"), "deaf", DEAF);
    await using screen = await openScreen(["--provider", "offline"], { cwd: cwd.path });
    await screen.shows("extensions of this project run: deaf (--no-ext leaves them out)");
  });

  test("a command that is not there yet is told from one that does not exist", async () => {
    await using dir = await tempDir();
    await using screen = await openScreen(offline(await extension(dir.path, "mute", "exec sleep 20")));
    await screen.shows("mute (starting)");
    await screen.enter("/ponder");
    await screen.shows("there is no command /ponder; extensions are still starting");
  });
});
