import { Agent } from "../agent/agent.ts";
import type { Session } from "../agent/session/session.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import { withUris } from "../agent/tools/uri.ts";
import { ExtensionHost } from "../host/host.ts";
import { AuthFile } from "../llm/accounts/auth-file.ts";
import { Models } from "../llm/accounts/models.ts";
import { chooseModel } from "../llm/choose.ts";
import { LlmError } from "../llm/error.ts";
import type { ModelChoice } from "../llm/port.ts";
import { Interactive, type Leave } from "../surfaces/interactive/interactive.ts";
import { NoModel } from "../surfaces/interactive/no-model.ts";
import { Settings } from "../surfaces/interactive/settings/settings.ts";
import { colourDepth } from "../surfaces/interactive/theme/depth.ts";
import { Look } from "../surfaces/interactive/theme/look.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { EXIT } from "./error.ts";
import { zotHome } from "./home.ts";
import type { RunOptions } from "./run-options.ts";
import { agentOptions, hostOptions, modelChoice, selectTools } from "./run-parts.ts";
import { resumedSession, sessionStore } from "./session.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Things to say before there is a screen to say them on. */
class Warnings {
  #say: ((text: string) => void) | undefined;
  #waiting: string[] = [];

  readonly warn = (text: string): void => {
    if (this.#say === undefined) this.#waiting.push(text);
    else this.#say(text);
  };

  to(say: (text: string) => void): void {
    this.#say = say;
    for (const text of this.#waiting.splice(0)) say(text);
  }
}

/**
 * The interactive run, from its first frame to its exit status. Throws `CliError` and, for a provider that does not exist,
 * `LlmError` before the screen is taken, and a defect of ours after it was given back; whatever else fails is told on it.
 */
export async function runInteractive(options: RunOptions, terminal: Terminal): Promise<number> {
  const home = zotHome(process.env);
  const settings = new Settings(home);
  const warnings = new Warnings();
  const sessions = sessionStore(options.cwd, options.session, warnings.warn);
  const asksForSession = options.session.kind === "resume" && options.session.id === undefined;
  const resumed = asksForSession ? undefined : await resumedSession(sessions, options.session);
  const choice = withSettings(modelChoice(options, resumed), settings);
  refuseUnknownProvider(choice, resumed);
  const ended = Promise.withResolvers<End>();
  using _signals = onEndSignal((signal) => ended.resolve({ kind: "signal", signal }));
  using _defects = onDefect((error) => ended.resolve({ kind: "defect", error }));
  const host = new ExtensionHost({
    ...hostOptions(options),
    model: () => ({ provider: agent.model.provider, model: agent.model.id }),
  });
  const reasoning = options.reasoning ?? settings.get("reasoning");
  const agent = new Agent({
    model: new NoModel(),
    host,
    builtins: withUris(selectTools(builtinTools(), options.tools), host.uris),
    session: resumed ?? sessions.create({ provider: "", model: "" }),
    ...agentOptions(options),
    approver: { ask: (request, signal) => screen.approver.ask(request, signal) },
    drained: () => undefined,
    ...(reasoning === undefined ? {} : { reasoning }),
  });
  const auth = new AuthFile(home);
  const screen = new Interactive({
    agent,
    host,
    models: new Models({ choice, auth }),
    auth,
    settings,
    sessions,
    look: new Look(colourDepth(process.env)),
    cwd: options.cwd,
    home,
    version,
    env: process.env,
    prompt: options.words,
    pickSession: asksForSession,
    watched: options.watch ? options.ext : [],
  });
  let end: End = { kind: "exit" };
  try {
    screen.open();
    warnings.to((text) => screen.warn(text));
    end = await Promise.race([screen.left.then(endOf), ended.promise]);
  } catch (error) {
    end = { kind: "defect", error };
  } finally {
    // The terminal first: whatever hangs or fails behind this, the user has his shell back.
    screen[Symbol.dispose]();
    await within(CLEAN_END_MS, async () => {
      await agent.abort();
      agent.session.close();
      await host.stop(end.kind === "exit" ? STOP_GRACE_MS : STOP_GRACE_ON_SIGNAL_MS);
    });
    await screen.release();
    await terminal.flush();
  }
  if (end.kind === "defect") throw end.error;
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

function refuseUnknownProvider(choice: ModelChoice, resumed: Session | undefined): void {
  try {
    chooseModel(choice);
  } catch (error) {
    // Without a key the screen opens all the same.
    if (error instanceof LlmError && error.code === "auth") return;
    resumed?.close();
    throw error;
  }
}
