import type { Session } from "../agent/session/session.ts";
import { chooseModel, namesModel } from "../llm/choose.ts";
import { LlmError } from "../llm/error.ts";
import type { ModelChoice } from "../llm/port.ts";
import type { Leave } from "../surfaces/interactive/interactive.ts";
import { Opening } from "../surfaces/interactive/opening.ts";
import { Settings } from "../surfaces/interactive/settings/settings.ts";
import { colourDepth } from "../surfaces/interactive/theme/depth.ts";
import { Look } from "../surfaces/interactive/theme/look.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { EXIT } from "./error.ts";
import { zotHome } from "./home.ts";
import type { InteractiveRun } from "./interactive-run.ts";
import type { RunOptions } from "./run-options.ts";
import { modelChoice, selectTools } from "./run-parts.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";
import { Warnings } from "./warnings.ts";
import { wayBack } from "./way-back.ts";

/**
 * The interactive run, from its first frame to its exit status. What the flags ask for is checked before the screen is
 * taken (`CliError`, `LlmError`); everything that the first frame does not show is loaded behind it. Throws a defect of ours
 * after the terminal was given back; whatever else fails is told on the screen.
 */
export async function runInteractive(options: RunOptions, terminal: Terminal): Promise<number> {
  const home = zotHome(process.env);
  const settings = new Settings(home);
  const warnings = new Warnings();
  const named = modelChoice(options, undefined);
  // What comes from a file is told on the screen, where another model can be chosen.
  refuseUnknownProvider(named);
  await refuseUnknownTools(options);
  const asksForSession = options.session.kind === "resume" && options.session.id === undefined;
  const resumed = asksForSession ? undefined : await resume(options, warnings);
  const choice = withSettings(modelChoice(options, resumed), settings);
  const ended = Promise.withResolvers<End>();
  const opening = new Opening({ settings, look: new Look(colourDepth(process.env)), version, cwd: options.cwd });
  using _signals = onEndSignal(
    (signal) => ended.resolve({ kind: "signal", signal }),
    () => opening.stage.isLent,
  );
  using _defects = onDefect((error) => ended.resolve({ kind: "defect", error }));
  let run: InteractiveRun | undefined;
  let end: End = { kind: "exit" };
  try {
    opening.draw();
    const { interactiveRun } = await import("./interactive-run.ts");
    const keepsModel = namesModel(named);
    run = await interactiveRun({ options, opening, home, warnings, resumed, asksForSession, keepsModel, choice });
    const { screen } = run;
    screen.open();
    warnings.to((text) => screen.warn(text));
    end = await Promise.race([screen.left.then(endOf), ended.promise]);
  } catch (error) {
    end = { kind: "defect", error };
  }
  const last = run?.session ?? resumed;
  const graceMs = end.kind === "exit" ? STOP_GRACE_MS : STOP_GRACE_ON_SIGNAL_MS;
  warnings.hold();
  // The terminal first: whatever hangs or fails behind this, the user has his shell back.
  const faults = await settleEach([
    () => run?.screen[Symbol.dispose](),
    () => opening.stage.down(),
    () => within(CLEAN_END_MS, async () => run?.stop(graceMs)),
    () => (run === undefined ? resumed?.close() : undefined),
  ]);
  // Words to a terminal that takes none would be waited for without end.
  if (await opening.stage.terminal.release()) {
    warnings.to((text) => terminal.warn(text));
    const back = end.kind === "exit" && last !== undefined ? wayBack(last, home) : undefined;
    if (back !== undefined) terminal.line(`this conversation goes on with: ${back}`);
  }
  const [fault] = faults;
  if (end.kind === "defect") throw end.error;
  if (fault !== undefined) throw fault;
  return end.kind === "signal" ? exitStatusOf(end.signal) : EXIT.ok;
}

/** Why the run is over. */
type End =
  | { readonly kind: "exit" }
  | { readonly kind: "signal"; readonly signal: EndSignal }
  | { readonly kind: "defect"; readonly error: unknown };

/** Stopping is bounded everywhere; this is for what is broken. */
const CLEAN_END_MS = STOP_GRACE_MS + 2_500;

/** A terminal that went away is what SIGHUP says, whether or not it was sent. */
function endOf(leave: Leave): End {
  return leave === "exit" ? { kind: "exit" } : { kind: "signal", signal: "SIGHUP" };
}

/** Calls `onError` with what nobody caught: the screen must not hide it, nor outlive it. */
function onDefect(onError: (error: unknown) => void): Disposable {
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
  return {
    [Symbol.dispose]: () => {
      process.off("uncaughtException", onError).off("unhandledRejection", onError);
    },
  };
}

/** One after the other, whatever becomes of those before; what they threw. */
async function settleEach(steps: readonly (() => void | Promise<void>)[]): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      faults.push(error);
    }
  }
  return faults;
}

/** Waits for `work`, but not for ever. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([work(), timeout.promise]).finally(() => clearTimeout(timer));
}

/** Flags and the session come first; what was chosen on the screen before stands in for them. */
function withSettings(choice: ModelChoice, settings: Settings): ModelChoice {
  if (namesModel(choice)) return choice;
  const provider = settings.get("provider");
  const model = settings.get("model");
  return { ...choice, ...(provider === undefined ? {} : { provider }), ...(model === undefined ? {} : { model }) };
}

/** The conversation that is to go on, if one is; what that takes is not loaded for a new one. Throws `CliError`. */
async function resume({ cwd, session }: RunOptions, { warn }: Warnings): Promise<Session | undefined> {
  if (session.kind === "new" || session.kind === "unsaved") return undefined;
  const { resumedSession, sessionStore } = await import("./session.ts");
  return resumedSession(sessionStore(cwd, session, warn), session);
}

async function refuseUnknownTools({ tools }: RunOptions): Promise<void> {
  if (tools === undefined) return;
  const { builtinTools } = await import("../agent/tools/builtin.ts");
  selectTools(builtinTools(), tools);
}

function refuseUnknownProvider(choice: ModelChoice): void {
  try {
    chooseModel(choice);
  } catch (error) {
    // Without a key the screen opens all the same.
    if (!(error instanceof LlmError && error.code === "auth")) throw error;
  }
}
