import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { textOf } from "../../../src/llm/messages.ts";
import { Child } from "./support/children.ts";
import { testHome, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

/** As in `support/child.ts`. */
const LARGE = 600_000;

test("kill -9 at any moment loses no row that was saved, and leaves no lock behind", async () => {
  for (let round = 0; round < 8; round += 1) {
    await using home = await testHome();
    await using child = Child.run(home.dir.path, "append");
    let saved = 0;
    // A different row each round, hence a different place in the cycle of small and large rows.
    while (saved <= round) saved = Number(await child.line()) + 1;
    for (const line of await child.kill()) saved = Number(line) + 1;

    const session = await home.store.continueNewest();
    if (session === undefined) throw new Error("the session is gone");
    expect(session.origin).toBe("resumed");
    const rows = session.messages.map((message) => textOf(message));
    expect(rows.length).toBeGreaterThanOrEqual(saved);
    for (const [row, text] of rows.entries()) {
      expect(text).toHaveLength(String(row).length + 1 + (row % 3 === 0 ? LARGE : 20));
      expect(text).toStartWith(`${row}:`);
    }
    session.appendUser(user("after"));
    session.close();
    readStrictly(readFileSync(session.path));
    expect(readdirSync(dirname(session.path))).toEqual([session.path.slice(dirname(session.path).length + 1)]);
    expect(home.warnings).toEqual([]);
  }
}, 60_000);
