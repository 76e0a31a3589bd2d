import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { liveGroups } from "../../../src/host/launch/live-groups.ts";
import { SimulatedSystem } from "../../support/simulated-system.ts";
import { type Asked, stackOf } from "./ledger.ts";
import { NAMES, type Plan } from "./plan.ts";
import { Stage } from "./stage.ts";

/** The longest deadline of a call is 60 s; whatever waits for nobody but an extension is over by then. */
const ALL_DEADLINES_MS = 70_000;
/** The stop sequence with its grace of 2 s, twice: a reload may be in the middle of one. */
const STOP_MS = 10_000;
/** Until a child that does not read, or holds its pipe after its end, has been given up. */
const STALL_MS = 6_000;
/** More than the host sleeps between two looks at something. */
const POLL_MS = 50;

/** Writes the folders of all extensions below `home`, which can then be used for any number of runs. */
export function furnish(home: string): void {
  for (const name of NAMES) {
    const dir = join(home, "extensions", name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "extension.json"), JSON.stringify({ name, exec: process.execPath }));
  }
}

/** Plays a plan to its end; throws with everything that the host did wrong. */
export async function simulate(plan: Plan, home: string): Promise<void> {
  using system = new SimulatedSystem();
  const groupsBefore = liveGroups.size;
  const stage = new Stage(plan, home, system);
  try {
    await play(stage, plan);
    await end(stage, plan);
    inspect(stage, groupsBefore);
    stage.ledger.close();
  } finally {
    // A case that failed must not make the next one fail.
    for (const child of system.children) child.signal("SIGKILL");
    await system.passUntil(() => liveGroups.size <= groupsBefore, STOP_MS);
  }
}

async function play(stage: Stage, { surface, begin, steps }: Plan): Promise<void> {
  const { host, system, ledger } = stage;
  if (surface !== undefined) stage.attach(surface);
  const start = stage.errand("start", () => host.start().then(() => host.whenReady()));
  // Those that do not greet would be waited for all their 10 s.
  if (begin === "ready") await system.passUntil(() => start.hasEnded, 1);
  for (const step of steps) {
    try {
      await stage.take(step);
    } catch (error) {
      ledger.blame(`${JSON.stringify(step).slice(0, 500)} threw ${stackOf(error)}`);
    }
  }
}

/** Time goes by, or the plug is pulled; either way everything that was begun comes to its end. */
async function end(stage: Stage, { ending, graceMs }: Plan): Promise<void> {
  const { host, system, ledger } = stage;
  if (ending === "wait") {
    // Nobody is asked any more, so no clock stands still.
    stage.detach();
    const impatient = ledger.asked.filter(({ mayWait }) => !mayWait);
    await awaitEnds(stage, impatient, ALL_DEADLINES_MS);
    await system.pass(STALL_MS);
    stage.inspectLive();
  }
  stage.errand("last stop", () => host.stop(graceMs));
  await awaitEnds(stage, ledger.asked, STOP_MS);
  // A poll that is asleep sees only when it wakes that there is nothing left to wait for.
  await system.pass(POLL_MS);
}

async function awaitEnds({ system, ledger }: Stage, asked: readonly Asked[], ms: number): Promise<void> {
  if (await system.passUntil(() => asked.every(({ hasEnded }) => hasEnded), ms)) return;
  for (const { what, hasEnded } of asked) if (!hasEnded) ledger.blame(`${what} has not ended within ${ms} ms`);
}

function inspect({ host, system, ledger, programs, shown }: Stage, groupsBefore: number): void {
  for (const child of system.children) {
    if (child.groupIsAlive) ledger.blame(`process ${child.pid} (${child.name}) is left`);
  }
  for (const { faults } of programs) for (const fault of faults) ledger.blame(fault);
  for (const extension of host.extensions) {
    const { name, state, diagnostics } = extension;
    if (state !== "gone") ledger.blame(`${name} is ${state}`);
    const { commands, tools } = host.registry.of(extension);
    if (commands.length + tools.length > 0) ledger.blame(`${name} is gone and still registered`);
    for (const entry of diagnostics.entries) if (entry.startsWith("internal error")) ledger.blame(`${name}: ${entry}`);
  }
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    attention: host.attention.asking,
    dialogs: host.dialogs.open,
    panels: host.panels.open === undefined ? [] : [host.panels.open],
    tools: host.tools.offered,
    commands: host.commands.offered,
    schemes: host.uris.schemes,
    statuses: host.chrome.statuses.list,
    widgets: host.chrome.widgets.list,
    "things on the screen": shown,
  };
  for (const [what, list] of Object.entries(lists)) {
    if (list.length > 0) ledger.blame(`${what} left: ${JSON.stringify(list)}`);
  }
  const groups = liveGroups.size - groupsBefore;
  if (groups > 0) ledger.blame(`${groups} process groups are still entered`);
  if (system.timers > 0) ledger.blame(`${system.timers} timers are left`);
  if (Reflect.has({}, "polluted")) ledger.blame("Object.prototype is polluted");
}
