import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExtensionHost } from "../../../src/host/host.ts";
import { liveGroups } from "../../../src/host/launch/live-groups.ts";
import { FRAME_MAX_BYTES } from "../../../src/wire/limits.ts";
import type { SimulatedChild } from "../../support/simulated-child.ts";
import { SimulatedSystem } from "../../support/simulated-system.ts";
import { MoodySurface, reply } from "./moody-surface.ts";
import { type Child, NAMES, type Plan, type Request, type Step, type SurfaceMood } from "./plan.ts";
import { Program } from "./program.ts";
import { ask } from "./requests.ts";

/** The longest deadline of a call is 60 s; whatever waits for nobody but an extension is over by then. */
const ALL_DEADLINES_MS = 70_000;
/** The stop sequence with its grace of 2 s, twice: a reload may be in the middle of one. */
const STOP_MS = 10_000;
/** More than the host sleeps between two looks at something. */
const POLL_MS = 50;

/** Something that was asked of the host and has to come to exactly one end. */
interface Asked {
  readonly what: string;
  readonly number: number;
  readonly abort: AbortController;
  /** Whether it may wait for a human, without a deadline. */
  readonly mayWait: boolean;
  ends: number;
}

/** Writes the folders of all extensions below `home`, which can then be used for any number of runs. */
export function furnish(home: string): void {
  for (const name of NAMES) {
    const dir = join(home, "extensions", name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "extension.json"), JSON.stringify({ name, exec: process.execPath }));
  }
}

/** One host, the simulated system below it, and a test above it that plays a plan and finds fault. */
export class Simulation {
  readonly #plan: Plan;
  readonly #system: SimulatedSystem;
  readonly #host: ExtensionHost;
  readonly #programs: Program[] = [];
  readonly #surfaces: MoodySurface[] = [];
  readonly #asked: Asked[] = [];
  /** Starts, reloads and stops. */
  readonly #errands: Asked[] = [];
  readonly #faults: string[] = [];
  #attached: Disposable | undefined;

  private constructor(plan: Plan, home: string, system: SimulatedSystem) {
    this.#plan = plan;
    this.#system = system;
    system.onSpawn = (child) => this.#spawned(child);
    this.#host = new ExtensionHost({
      explicit: [],
      scan: true,
      home,
      cwd: home,
      version: "1.2.3",
      env: {},
      sourceRunner: [process.execPath],
      reserved: { commands: new Set(["help"]), tools: new Set(["read"]) },
      model: () => ({ provider: "offline", model: "rehearsal" }),
    });
  }

  /** Plays a plan to its end; throws with everything that the host did wrong. */
  static async run(plan: Plan, home: string): Promise<void> {
    using system = new SimulatedSystem();
    const simulation = new Simulation(plan, home, system);
    await simulation.#play();
    await simulation.#end();
    simulation.#inspect();
    if (simulation.#faults.length > 0) throw new Error(simulation.#faults.join("\n"));
  }

  async #play(): Promise<void> {
    const { surface, begin, steps } = this.#plan;
    if (surface !== undefined) this.#attach(surface);
    const start = this.#errand("start", () => this.#host.start().then(() => this.#host.whenReady()));
    // Those that do not greet would be waited for all their 10 s.
    if (begin === "ready") await this.#system.passUntil(() => start.ends > 0, 1);
    for (const step of steps) {
      try {
        await this.#take(step);
      } catch (error) {
        this.#blame(`${JSON.stringify(step).slice(0, 500)} threw ${stackOf(error)}`);
      }
    }
  }

  /** Time goes by, or the plug is pulled; either way everything that was begun comes to its end. */
  async #end(): Promise<void> {
    if (this.#plan.ending === "wait") {
      // Nobody is asked any more, so no clock stands still.
      this.#detach();
      const patient = this.#asked.filter(({ mayWait }) => !mayWait);
      await this.#awaitEnds([...patient, ...this.#errands], ALL_DEADLINES_MS);
    }
    this.#errand("last stop", () => this.#host.stop(this.#plan.graceMs));
    await this.#awaitEnds([...this.#asked, ...this.#errands], STOP_MS);
    // A poll that is asleep sees only when it wakes that there is nothing left to wait for.
    await this.#system.pass(POLL_MS);
  }

  async #awaitEnds(asked: readonly Asked[], ms: number): Promise<void> {
    if (await this.#system.passUntil(() => asked.every(({ ends }) => ends > 0), ms)) return;
    for (const { what, ends } of asked) if (ends === 0) this.#blame(`${what} has not ended within ${ms} ms`);
  }

  #inspect(): void {
    const { extensions, panels, dialogs, attention, tools, commands, uris, chrome } = this.#host;
    for (const child of this.#system.children) {
      if (child.groupIsAlive) this.#blame(`process ${child.pid} (${child.name}) is left`);
    }
    for (const { name, state, diagnostics } of extensions) {
      if (state !== "gone") this.#blame(`${name} is ${state}`);
      for (const entry of diagnostics.entries) if (entry.startsWith("internal error")) this.#blame(`${name}: ${entry}`);
    }
    const left = {
      attention: attention.asking,
      dialogs: dialogs.open,
      tools: tools.offered,
      commands: commands.offered,
    };
    const more = { uris: uris.schemes, statuses: chrome.statuses.list, widgets: chrome.widgets.list };
    for (const [what, list] of Object.entries({ ...left, ...more })) {
      if (list.length > 0) this.#blame(`${what} left: ${JSON.stringify(list)}`);
    }
    if (panels.open !== undefined) this.#blame("a panel is open");
    const shown = this.#attached === undefined ? [] : (this.#surfaces.at(-1)?.shown ?? []);
    if (shown.length > 0) this.#blame(`still on the screen: ${shown.join(", ")}`);
    if (liveGroups.size > 0) this.#blame(`${liveGroups.size} process groups are still entered`);
    if (this.#system.timers > 0) this.#blame(`${this.#system.timers} timers are left`);
    if (Reflect.has({}, "polluted")) this.#blame("Object.prototype is polluted");
    for (const { faults } of this.#programs) this.#faults.push(...faults);
  }

  async #take(step: Step): Promise<unknown> {
    switch (step.do) {
      case "say":
        return await this.#say(step);
      case "mumble":
        return this.#program(step.who)?.child.say(Buffer.from(step.text));
      case "flood": {
        const child = this.#program(step.who)?.child;
        for (let sent = 0; sent <= FRAME_MAX_BYTES; sent += FLOOD.length) child?.say(FLOOD);
        return;
      }
      case "answer": {
        const program = this.#program(step.who);
        const call = program?.calls[step.which % program.calls.length];
        return call === undefined ? undefined : program?.answer(call, step.how);
      }
      case "usurp": {
        const calls = this.#programs.filter(({ child }) => child.name !== step.who).flatMap((other) => other.calls);
        const call = calls[step.which % calls.length];
        return call === undefined ? undefined : this.#program(step.who)?.answer(call, "proper");
      }
      case "crash":
        return this.#crash(step);
      case "fork":
        return this.#program(step.who)?.child.fork();
      case "read":
        return this.#program(step.who)?.child.setReading(step.reading);
      case "request":
        return this.#request(step.request);
      case "abort":
        return this.#asked[step.which % this.#asked.length]?.abort.abort();
      case "event":
        return this.#emit(step);
      case "reload":
        return this.#errand("reload", () => this.#host.reload());
      case "stop":
        return this.#errand("stop", () => this.#host.stop(step.graceMs));
      case "turns":
        for (let turn = 0; turn < step.turns; turn++) await this.#system.turn();
        return;
      case "pass":
        return await this.#system.pass(step.ms);
      default:
        return this.#onScreen(step);
    }
  }

  #onScreen(step: ScreenStep): unknown {
    const { panels, chrome } = this.#host;
    switch (step.do) {
      case "key":
        panels.key(step.name, step.text);
        return;
      case "paste":
        panels.paste("x".repeat(step.chars));
        return;
      case "resize":
        return panels.resize(step.width, step.height);
      case "focus":
        return panels.setFocused(step.focused);
      case "answer dialog": {
        const dialogs = this.#surfaces.flatMap(({ asked }) => asked);
        return reply(dialogs[step.which % dialogs.length], step.how);
      }
      case "attach":
        return this.#attach(step.surface);
      case "detach":
        return this.#detach();
      case "dismiss notes":
        return chrome.notes.dismiss();
    }
  }

  async #say({ who, lines, cuts, turns }: Extract<Step, { do: "say" }>): Promise<void> {
    const program = this.#program(who);
    if (program === undefined) return;
    const bytes = Buffer.concat(lines.map((line) => program.spoken(line)));
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    let from = 0;
    for (const to of [...places, bytes.length]) {
      program.child.say(bytes.subarray(from, to));
      from = to;
      for (let turn = 0; turn < turns; turn++) await this.#system.turn();
    }
  }

  #crash({ who, how }: Extract<Step, { do: "crash" }>): unknown {
    const child = this.#program(who)?.child;
    switch (how) {
      case "exit 0":
        return child?.exit(0);
      case "exit 3":
        return child?.exit(3);
      case "SIGKILL":
      case "SIGSEGV":
        return child?.crash(how);
      case "shut stdin":
        return child?.shutEar();
      case "shut stdout":
        return child?.shutMouth();
      case "exit, pipe held":
        child?.fork();
        return child?.exit(1);
    }
  }

  #emit({ event, times }: Extract<Step, { do: "event" }>): void {
    const { events, sessions } = this.#host;
    for (let n = 0; n < times; n++) {
      if (event === "turn_start" || event === "tool_call") events.emit(event, { step: n, text: "x".repeat(1_000) });
      else sessions.emit(event, n % 2 === 0 ? { context: () => ({ id: "s" }), state: () => undefined } : undefined);
    }
  }

  #request(request: Request): void {
    const tool = request.call === "tool" ? this.#host.registry.tool(request.name) : undefined;
    const number = this.#asked.length + 1;
    const asked = this.#begin(this.#asked, `${number} ${JSON.stringify(request)}`, tool?.interactive === true);
    const onUpdate = (): void => {
      if (asked.ends > 0) this.#blame(`${asked.what}: an update after its end`);
    };
    ask(this.#host, request, number, asked.abort.signal, onUpdate).then(
      (text) => {
        asked.ends += 1;
        this.#checkOwn(asked, text);
      },
      (error: unknown) => this.#rejected(asked, error),
    );
  }

  #errand(what: string, run: () => Promise<unknown>): Asked {
    const errand = this.#begin(this.#errands, what, false);
    run().then(
      () => {
        errand.ends += 1;
      },
      (error: unknown) => this.#rejected(errand, error),
    );
    return errand;
  }

  #begin(list: Asked[], what: string, mayWait: boolean): Asked {
    const asked: Asked = { what, number: list.length + 1, abort: new AbortController(), mayWait, ends: 0 };
    list.push(asked);
    return asked;
  }

  #rejected(asked: Asked, error: unknown): void {
    asked.ends += 1;
    this.#blame(`${asked.what} rejected: ${stackOf(error)}`);
  }

  /** An answer must be one to this very call, from a process that was asked. */
  #checkOwn({ what, number }: Asked, text: string): void {
    for (const [answer, echoed, by] of text.matchAll(/echo (\d+) by (\d+)/g)) {
      const program = this.#programs[Number(by) - 1];
      const wasAsked = program?.calls.some((call) => call.number === String(number));
      if (Number(echoed) !== number || wasAsked !== true) this.#blame(`${what} was answered by ${answer}`);
    }
  }

  #attach(mood: SurfaceMood): void {
    const surface = new MoodySurface(mood, this.#host.panels);
    this.#surfaces.push(surface);
    this.#attached = this.#host.attach(surface);
  }

  #detach(): void {
    this.#attached?.[Symbol.dispose]();
    this.#attached = undefined;
  }

  #spawned(child: SimulatedChild): void {
    const program = new Program(child, this.#programs.length + 1, this.#configOf(child.name));
    this.#programs.push(program);
    program.start();
  }

  #configOf(name: string): Child {
    const found = this.#plan.children.find((child) => child.name === name);
    if (found === undefined) throw new Error(`${name} was started, which is in no plan`);
    return found;
  }

  /** The youngest one of that name. */
  #program(name: string): Program | undefined {
    return this.#programs.findLast(({ child }) => child.name === name);
  }

  #blame(fault: string): void {
    this.#faults.push(fault);
  }
}

const FLOOD = Buffer.alloc(64 * 1024, "x");

type ScreenStep = Extract<
  Step,
  { do: "key" | "paste" | "resize" | "focus" | "answer dialog" | "attach" | "detach" | "dismiss notes" }
>;

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
