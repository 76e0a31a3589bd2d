import type { Extension } from "../../../src/host/extension.ts";
import { ExtensionHost } from "../../../src/host/host.ts";
import { FRAME_MAX_BYTES } from "../../../src/wire/limits.ts";
import type { SimulatedChild } from "../../support/simulated-child.ts";
import type { SimulatedSystem } from "../../support/simulated-system.ts";
import { type Asked, Ledger } from "./ledger.ts";
import { MoodySurface, reply } from "./moody-surface.ts";
import type { Child, Plan, Request, Step, SurfaceMood } from "./plan.ts";
import { NO_ANSWER, Program } from "./program.ts";
import { ask } from "./requests.ts";

type ScreenStep = Extract<
  Step,
  { do: "key" | "paste" | "resize" | "focus" | "answer dialog" | "attach" | "detach" | "dismiss notes" }
>;
type SpeechStep = Extract<Step, { do: "mumble" | "flood" | "answer" | "usurp" | "crash" | "fork" | "read" }>;

/** From a child's pipe to the room that a frame is for. */
const TURNS_TO_READ = 3;
const FLOOD = Buffer.alloc(64 * 1024, "x");

/** A host between the simulated system below it and those above it, and everything that can be done to it. */
export class Stage {
  readonly host: ExtensionHost;
  readonly system: SimulatedSystem;
  readonly ledger = new Ledger();
  /** In the order of their start. */
  readonly programs: Program[] = [];
  readonly #children: readonly Child[];
  readonly #surfaces: MoodySurface[] = [];
  #attached: Disposable | undefined;
  #marks = 0;

  constructor(plan: Plan, home: string, system: SimulatedSystem) {
    this.#children = plan.children;
    this.system = system;
    system.onSpawn = (child) => this.#spawned(child);
    this.host = new ExtensionHost({
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

  /** What is left on the surface that is attached. */
  get shown(): readonly string[] {
    return this.#attached === undefined ? [] : (this.#surfaces.at(-1)?.shown ?? []);
  }

  async take(step: Step): Promise<unknown> {
    switch (step.do) {
      case "say":
        return await this.#say(step);
      case "request":
        return this.#request(step.request);
      case "abort":
        return this.ledger.asked[step.which % this.ledger.asked.length]?.abort.abort();
      case "event":
        return this.#emit(step);
      case "reload":
        return this.errand("reload", () => this.host.reload());
      case "stop":
        return this.errand("stop", () => this.host.stop(step.graceMs));
      case "turns":
        return await this.system.turns(step.turns);
      case "pass":
        return await this.system.pass(step.ms);
      case "mumble":
      case "flood":
      case "answer":
      case "usurp":
      case "crash":
      case "fork":
      case "read":
        return await this.#inChild(step);
      default:
        return this.#onScreen(step);
    }
  }

  /** Work of the host's own: a start, a reload, a stop. */
  errand(what: string, run: () => Promise<unknown>): Asked {
    return this.ledger.enter(what, false, run, () => undefined);
  }

  attach(mood: SurfaceMood): void {
    const surface = new MoodySurface(mood, this.host.panels);
    this.#surfaces.push(surface);
    this.#attached = this.host.attach(surface);
  }

  detach(): void {
    this.#attached?.[Symbol.dispose]();
    this.#attached = undefined;
  }

  async #say({ who, lines, cuts, turns, checked }: Extract<Step, { do: "say" }>): Promise<void> {
    const program = this.#program(who);
    if (program === undefined) return;
    this.#marks += 1;
    const mark = JSON.stringify({ type: "status", key: "mark", text: String(this.#marks) });
    await program.recite([...lines, mark], async (bytes) => {
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      let from = 0;
      for (const to of [...places, bytes.length]) {
        program.child.say(bytes.subarray(from, to));
        from = to;
        await this.system.turns(turns);
      }
    });
    if (checked) await this.#checkMark(program);
  }

  /** The last line that was said must have arrived, unless nobody listens. */
  async #checkMark({ child }: Program): Promise<void> {
    await this.system.turns(TURNS_TO_READ);
    if (this.#liveExtension(child) === undefined) return;
    const found = this.host.chrome.statuses.list.find(
      ({ extension, key }) => extension === child.name && key === "mark",
    );
    if (found?.text !== String(this.#marks)) this.ledger.blame(`mark ${this.#marks} of ${child.name} has not arrived`);
  }

  /** The extension that can hear a child, if there is one. */
  #liveExtension(child: SimulatedChild): Extension | undefined {
    const extension = this.host.extensions.find(({ name }) => name === child.name);
    return child.canSpeak && extension?.connection !== undefined ? extension : undefined;
  }

  /** A line without an end costs the child its connection. */
  async #flood({ child }: Program): Promise<void> {
    for (let sent = 0; sent <= FRAME_MAX_BYTES; sent += FLOOD.length) child.say(FLOOD);
    await this.system.turns(TURNS_TO_READ);
    if (this.#liveExtension(child) !== undefined) this.ledger.blame(`${child.name} may go on after a flood`);
  }

  /** When a long time has gone by: nobody is waited for who is dead, or who does not read. */
  inspectLive(): void {
    for (const { name, state } of this.host.extensions) {
      const child = this.#program(name)?.child;
      if (child === undefined || state === "gone") continue;
      if (!child.isRunning) this.ledger.blame(`${name} is ${state} and its process has ended`);
      if (child.isBlocked) this.ledger.blame(`${name} is ${state} and does not read`);
    }
  }

  #inChild(step: SpeechStep): unknown {
    const program = this.#program(step.who);
    if (program === undefined) return undefined;
    switch (step.do) {
      case "mumble":
        return program.child.say(Buffer.from(step.text));
      case "flood":
        return this.#flood(program);
      case "answer": {
        const call = program.calls[step.which % program.calls.length];
        return call === undefined ? undefined : program.answer(call, step.how);
      }
      case "usurp": {
        const calls = this.programs.filter(({ child }) => child.name !== step.who).flatMap((other) => other.calls);
        const call = calls[step.which % calls.length];
        return call === undefined ? undefined : program.answer(call, "proper");
      }
      case "crash":
        return program.crash(step.how);
      case "fork":
        return program.child.fork();
      case "read":
        return program.child.setReading(step.reading);
    }
  }

  #onScreen(step: ScreenStep): unknown {
    const { panels, chrome } = this.host;
    switch (step.do) {
      case "key":
        return panels.key(step.name, step.text);
      case "paste":
        return panels.paste("x".repeat(step.chars));
      case "resize":
        return panels.resize(step.width, step.height);
      case "focus":
        return panels.setFocused(step.focused);
      case "answer dialog": {
        const dialogs = this.#surfaces.flatMap(({ asked }) => asked);
        return reply(dialogs[step.which % dialogs.length], step.how);
      }
      case "attach":
        return this.attach(step.surface);
      case "detach":
        return this.detach();
      case "dismiss notes":
        return chrome.notes.dismiss();
    }
  }

  #emit({ event, times }: Extract<Step, { do: "event" }>): void {
    const { events, sessions } = this.host;
    for (let n = 0; n < times; n++) {
      if (event === "turn_start" || event === "tool_call") events.emit(event, { step: n, text: "x".repeat(1_000) });
      else sessions.emit(event, n % 2 === 0 ? { context: () => ({ id: "s" }), state: () => undefined } : undefined);
    }
  }

  #request(request: Request): void {
    const tool = request.call === "tool" ? this.host.registry.tool(request.name) : undefined;
    const run = (asked: Asked): Promise<string> =>
      ask(this.host, request, asked.number, asked.abort.signal, () => {
        if (asked.hasEnded) this.ledger.blame(`${asked.what}: an update after its end`);
      });
    const onEnd = (asked: Asked, text: string): void => this.#checkOwn(asked, text);
    this.ledger.enter(JSON.stringify(request), tool?.interactive === true, run, onEnd);
  }

  /** An answer must be one to this very call, from a process that was asked. */
  #checkOwn({ what, number }: Asked, text: string): void {
    if (text.includes(NO_ANSWER)) this.ledger.blame(`${what} was answered by what answers nothing`);
    for (const [answer, echoed, by] of text.matchAll(/echo (\d+) by (\d+)/g)) {
      const wasAsked = this.programs[Number(by) - 1]?.calls.some((call) => call.number === String(number));
      if (Number(echoed) !== number || wasAsked !== true) this.ledger.blame(`${what} was answered by ${answer}`);
    }
  }

  #spawned(child: SimulatedChild): void {
    const config = this.#children.find(({ name }) => name === child.name);
    if (config === undefined) throw new Error(`${child.name} was started, which is in no plan`);
    const program = new Program(child, this.programs.length + 1, config);
    this.programs.push(program);
    program.start();
  }

  /** The youngest one of that name. */
  #program(name: string): Program | undefined {
    return this.programs.findLast(({ child }) => child.name === name);
  }
}
