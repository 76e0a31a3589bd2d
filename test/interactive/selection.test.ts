import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

describe.skipIf(!zotIsBuilt || process.platform !== "linux")("a selection with the mouse", () => {
  test("reaches the clipboard of the desktop, and that of the terminal", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "xclip"), '#!/bin/sh\ncat > "$ZOT_HOME/clip"\n', { mode: 0o755 });
    const env = { PATH: `${dir.path}:${process.env["PATH"] ?? ""}`, DISPLAY: ":0" };
    await using screen = await openScreen(offline(), { env });
    await screen.shows("/help");
    await screen.enter("say something");
    await screen.shows(/^something$/m);
    await screen.settles();
    const row = screen.lines.indexOf("something") + 1;
    screen.type(`\u001b[<0;1;${row}M\u001b[<32;5;${row}M\u001b[<0;5;${row}m`);
    await screen.shows("Copied!");
    const clip = join(screen.zotHome, "clip");
    await screen.until(() => existsSync(clip), "the clipboard");
    const copied = await readFile(clip, "utf8");
    expect("something").toStartWith(copied);
    expect(copied.length).toBeGreaterThan(3);
    expect(screen.output).toContain(`\u001b]52;c;${Buffer.from(copied).toString("base64")}\u0007`);
  });
});
