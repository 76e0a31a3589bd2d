import fc from "fast-check";
import { HostWorld } from "../../support/host.ts";
import { ask } from "./requests.ts";
import type { Request } from "./plan.ts";

/** How a real child ends, or stops being of use. */
const CRASHES = {
  "exit 0": "exit 0",
  "exit 3": "exit 3",
  killed: "kill -9 $$",
  aborted: "kill -6 $$",
  frozen: "kill -STOP $$",
  "shut stdin": "exec <&-; sleep 300",
  "shut stdout": "exec >&-; sleep 300",
  silent: "sleep 300",
} as const;

/** One real child of a host, from what it says to where it stops saying it. */
interface CrashPlan {
  /** It writes so much of its greeting; absent: all of it. */
  readonly greetingBytes: number | undefined;
  /** … and answers so many calls. */
  readonly answers: number;
  /** … and then this much of the next answer. */
  readonly answerBytes: number;
  readonly crash: keyof typeof CRASHES;
  readonly heedsTerm: boolean;
  /** Started at its begin: one that holds its stdout, one that does not. */
  readonly grandchildren: readonly ("holds the pipe" | "lets go")[];
}

/** A host with two of them, what is asked of it meanwhile, and when it is stopped. */
export interface RealPlan {
  readonly children: readonly [CrashPlan, CrashPlan];
  readonly requests: readonly Request[];
  readonly reloads: boolean;
  /** ms from the start of the host to its stop. */
  readonly stopAfterMs: number;
  readonly graceMs: number;
}

const crashPlan: fc.Arbitrary<CrashPlan> = fc.record({
  greetingBytes: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat({ max: 400 }) },
  ),
  answers: fc.nat({ max: 6 }),
  answerBytes: fc.nat({ max: 60 }),
  crash: fc.constantFrom(...Object.keys(CRASHES)).map(crashOf),
  heedsTerm: fc.nat({ max: 3 }).map((n) => n > 0),
  grandchildren: fc.subarray(["holds the pipe", "lets go"] as const),
});

const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({
    call: fc.constant("tool" as const),
    name: fc.constantFrom("a_tool", "b_tool", "shared"),
    args: fc.constant("proper" as const),
  }),
  fc.record({ call: fc.constant("command" as const), name: fc.constantFrom("a", "b") }),
  fc.record({ call: fc.constantFrom("tool_call" as const, "turn_start" as const, "before_agent_start" as const) }),
);

export const realPlan: fc.Arbitrary<RealPlan> = fc.record({
  children: fc.tuple(crashPlan, crashPlan),
  requests: fc.array(request, { minLength: 6, maxLength: 12 }),
  reloads: fc.nat({ max: 3 }).map((n) => n === 0),
  stopAfterMs: fc.nat({ max: 150 }),
  graceMs: fc.constantFrom(0, 200),
});

/** More than the sequence of signals and every wait for a pipe take, on a busy machine. */
const END_MS = 15_000;

/** Plays a plan with real processes; throws when a call does not end or a process is left. */
export async function playReal(plan: RealPlan): Promise<void> {
  await using world = await HostWorld.create();
  for (const [index, child] of plan.children.entries()) world.shell(index === 0 ? "a" : "b", script(index === 0 ? "a" : "b", child));
  const started = world.start();
  const ends: Promise<unknown>[] = [started];
  const deadline = Bun.sleep(plan.stopAfterMs);
  // What comes before an extension is up is answered at once; the rest meets it in the middle of something.
  for (const [index, wanted] of plan.requests.entries()) {
    ends.push(ask(world.host, wanted, index, new AbortController().signal, () => undefined));
    await Bun.sleep(plan.stopAfterMs / plan.requests.length);
  }
  if (plan.reloads) ends.push(world.host.reload());
  await deadline;
  ends.push(world.host.stop(plan.graceMs));
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error(`not everything has ended within ${END_MS} ms`)), END_MS);
  await Promise.race([Promise.all(ends), timer.promise]).finally(() => clearTimeout(timeout));
  const left = groupsAlive(world.leaders("a").concat(world.leaders("b")));
  if (left.length > 0) throw new Error(`left running:\n${left.join("\n")}`);
}
