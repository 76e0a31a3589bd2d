import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { openTerminal, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const SCREEN_OFF = "\u001b[?1049l";

/**
 * The first frame, with nobody behind it who takes keys until all of `keys` have come. Ctrl-G lends the terminal until there is
 * a file `over`.
 */
function openLate(home: string, over: string, keys: string): Promise<Screen> {
  const fixture = join(import.meta.dir, "fixtures", "late-keys.ts");
  const argv = [process.execPath, fixture, home, home, keys.slice(-9), over] as const;
  return openTerminal(argv, { typedAtOnce: keys });
}

describe("keys that come before anybody takes them", () => {
  test("behind one that gives the terminal away are nobody's, and it is given away once", async () => {
    await using dir = await tempDir();
    const over = join(dir.path, "over");
    await using screen = await openLate(dir.path, over, "\u0007\u0007:wq and more\r");
    await screen.until(() => screen.output.includes(SCREEN_OFF), "the terminal to be lent");
    await writeFile(over, "");
    await screen.shows("was lent");
    screen.type("still here");
    await screen.shows(/^ still here$/m);
    expect(screen.text.split("was lent")).toHaveLength(2);
    expect(screen.text).not.toContain("and more");
  });

  test("are not held beyond what anybody types, and none behind a gap", async () => {
    await using dir = await tempDir();
    const keys = `first\u001b[200~${"x".repeat(1024 * 1024)}\u001b[201~ and behind it`;
    await using screen = await openLate(dir.path, join(dir.path, "over"), keys);
    await screen.shows(/^ first$/m);
    screen.type(" of all");
    await screen.shows(/^ first of all$/m);
  });
});
