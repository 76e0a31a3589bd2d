import { builtinTools } from "../agent/tools/builtin.ts";
import { chooseModel } from "../llm/choose.ts";
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
import { resumedSession, sessionStore } from "./session.ts";
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
  const sessions = sessionStore(options.cwd, options.session, warnings.warn);
  const tools = selectTools(builtinTools(), options.tools);
  const asksForSession = options.session.kind === "resume" && options.session.id === undefined;
  const resumed = asksForSession ? undefined : await resumedSession(sessions, options.session);
  const choice = withSettings(modelChoice(options, resumed), settings);
  try {
    refuseUnknownProvider(choice);
  } catch (error) {
    resumed?.close();
    throw error;
  }
  const ended = Promise.withResolvers<End>();
  using _signals = onEndSignal((signal) => ended.resolve({ kind: "signal", signal }));
  using _defects = onDefect((error) => ended.resolve({ kind: "defect", error }));
  const opening = new Opening({ settings, look: new Look(colourDepth(process.env)), version, cwd: options.cwd });
  let run: InteractiveRun | undefined;
  let end: End = { kind: "exit" };
  let isTerminalThere = true;
  try {
    opening.draw();
    const { interactiveRun } = await import("./interactive-run.ts");
    run = await interactiveRun({ options, opening, home, sessions, resumed, asksForSession, choice, tools });
    const { screen } = run;
    screen.open();
    warnings.to((text) => screen.warn(text));
    end = await Promise.race([screen.left.then(endOf), ended.promise]);
  } catch (error) {
    end = { kind: "defect", error };
  } finally {
    // The terminal first: whatever hangs or fails behind this, the user has his shell back.
    run?.screen[Symbol.dispose]();
    opening.stage.down();
    await within(CLEAN_END_MS, async () => {
      if (run === undefined) resumed?.close();
      await run?.stop(end.kind === "exit" ? STOP_GRACE_MS : STOP_GRACE_ON_SIGNAL_MS);
    });
    isTerminalThere = await opening.stage.terminal.release();
    await terminal.flush();
  }
  if (end.kind === "defect") throw end.error;
  if (end.kind === "signal") return exitStatusOf(end.signal);
  const back = run === undefined ? undefined : wayBack(run.session, home);
  if (back !== undefined && isTerminalThere) terminal.line(`this conversation goes on with: ${back}`);
  return EXIT.ok;
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

/** Waits for `work`, but not for ever. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([work(), timeout.promise]);
  clearTimeout(timer);
}

/** Flags and the session come first; what was chosen on the screen before stands in for them. */
function withSettings(choice: ModelChoice, settings: Settings): ModelChoice {
  if (choice.provider !== undefined || choice.model !== undefined || choice.baseUrl !== undefined) return choice;
  const provider = settings.get("provider");
  const model = settings.get("model");
  return { ...choice, ...(provider === undefined ? {} : { provider }), ...(model === undefined ? {} : { model }) };
}

function refuseUnknownProvider(choice: ModelChoice): void {
  try {
    chooseModel(choice);
  } catch (error) {
    // Without a key the screen opens all the same.
    if (!(error instanceof LlmError && error.code === "auth")) throw error;
  }
}
