import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { HostWorld } from "../../support/host.ts";
import { until } from "../../support/until.ts";
import type { Request } from "./plan.ts";
import { type RealChild, realChild, scriptOf } from "./real-child.ts";
import { ask } from "./requests.ts";

/** More than the sequence of signals and every wait for a pipe take, on a busy machine. */
const END_MS = 15_000;
const DEATH_MS = 2_000;
const NAMES = ["a", "b"] as const;

/** A host with two real children, what is asked of it meanwhile, and when it is stopped. */
export interface RealPlan {
  readonly children: Readonly<Record<(typeof NAMES)[number], RealChild>>;
  readonly requests: readonly Request[];
  /** ms between two requests. */
  readonly paceMs: number;
  readonly reloads: boolean;
  readonly graceMs: number;
}

const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({
    call: fc.constant("tool" as const),
    name: fc.constantFrom("a_tool", "b_tool", "shared"),
    args: fc.constant("proper" as const),
  }),
  fc.record({ call: fc.constant("command" as const), name: fc.constantFrom(...NAMES) }),
  fc.record({ call: fc.constantFrom("tool_call" as const, "turn_start" as const, "before_agent_start" as const) }),
);

export const realPlan: fc.Arbitrary<RealPlan> = fc.record({
  children: fc.record({ a: realChild, b: realChild }),
  requests: fc.array(request, { minLength: 6, maxLength: 12 }),
  paceMs: fc.nat({ max: 15 }),
  reloads: fc.nat({ max: 3 }).map((n) => n === 0),
  graceMs: fc.constantFrom(0, 200),
});

/** Plays a plan; throws when something that was asked does not end, or a process is left. */
export async function runReal(plan: RealPlan): Promise<void> {
  await using world = await HostWorld.create();
  const dirs = NAMES.map((name) => world.shell(name, scriptOf(name, plan.children[name])));
  const { host } = world;
  const { signal } = new AbortController();
  const ends: Promise<unknown>[] = [world.start()];
  for (const [index, wanted] of plan.requests.entries()) {
    await Bun.sleep(plan.paceMs);
    ends.push(ask(host, wanted, index, signal, () => undefined));
  }
  if (plan.reloads) ends.push(host.reload());
  ends.push(host.stop(plan.graceMs));
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not everything has ended within ${END_MS} ms`)), END_MS);
  await Promise.race([Promise.all(ends), late.promise]).finally(() => clearTimeout(timer));
  // Who was killed a moment ago may have to be given the processor once more to die.
  const leaders = dirs.flatMap(leadersIn);
  await until(`the end of the groups ${leaders.join(" ")}`, () => membersOf(leaders).length === 0, DEATH_MS);
}

/** Process ids of everything that was ever started in `dir`; each leads a group. */
function leadersIn(dir: string): string[] {
  const path = join(dir, "pids");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

/** What runs in these groups; whoever is dead but not reaped yet does not. */
function membersOf(leaders: readonly string[]): string[] {
  const listed = Bun.spawnSync(["ps", "-A", "-o", "pgid=,stat=,pid=,args="]).stdout.toString();
  return listed.split("\n").filter((line) => {
    const [group = "", state = "Z"] = line.trim().split(/\s+/);
    return leaders.includes(group) && !state.startsWith("Z");
  });
}
