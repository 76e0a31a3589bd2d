/** A second process with a session. Arguments: home, what to do, path. It says what it did in lines on stdout. */
import { writeSync } from "node:fs";
import { SessionLock } from "../../../../src/agent/session/lock.ts";
import { SessionStore } from "../../../../src/agent/session/store.ts";
import { MODEL, user } from "./sessions.ts";

const [home = "", action = "", path = ""] = process.argv.slice(2);
const store = new SessionStore({ home, cwd: "/project", version: "9.9.9", warn: (text) => console.error(text) });

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** One row after the other; each is named on stdout when it counts as saved. */
function appendForEver(): void {
  const session = store.create(MODEL);
  for (let row = 0; ; row += 1) {
    // Some small, some so large that a kill can hit the middle of the write.
    session.appendUser(user(`${row}:${"x".repeat(row % 3 === 0 ? 600_000 : 20)}`));
    say(String(row));
  }
}

/** Continues a session and keeps it until stdin ends. */
async function hold(): Promise<void> {
  const opening = await store.open(path, MODEL);
  if ("fault" in opening) throw new Error(opening.fault);
  opening.session.appendUser(user(`by ${process.pid}`));
  say(`${opening.session.origin} ${opening.session.path}`);
  for await (const _ of Bun.stdin.stream());
  opening.session.close();
}

/** Appends until the disk is full, then goes on. */
function fill(): void {
  const session = store.create(MODEL);
  for (let row = 0; row < 40; row += 1) session.appendUser(user(`${row}:${"x".repeat(1_000)}`));
  say(`${session.isSaved} ${session.messages.length} ${session.path}`);
  session.close();
}

/** Waits for the lock of a session and keeps it until stdin ends. */
async function lock(): Promise<void> {
  say("waiting");
  const held = SessionLock.acquire(path, 10_000);
  say(held instanceof SessionLock ? "held" : held);
  for await (const _ of Bun.stdin.stream());
  if (held instanceof SessionLock) held[Symbol.dispose]();
}

if (action === "append") appendForEver();
else if (action === "hold") await hold();
else if (action === "lock") await lock();
else fill();
