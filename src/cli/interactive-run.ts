import { Agent } from "../agent/agent.ts";
import type { Session } from "../agent/session/session.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import { withUris } from "../agent/tools/uri.ts";
import { ExtensionHost } from "../host/host.ts";
import { AuthFile } from "../llm/accounts/auth-file.ts";
import { Models } from "../llm/accounts/models.ts";
import type { ModelChoice } from "../llm/port.ts";
import { Interactive } from "../surfaces/interactive/interactive.ts";
import { NoModel } from "../surfaces/interactive/no-model.ts";
import type { Opening } from "../surfaces/interactive/opening.ts";
import type { RunOptions } from "./run-options.ts";
import { agentOptions, hostOptions, selectTools } from "./run-parts.ts";
import { sessionStore } from "./session.ts";
import type { Warnings } from "./warnings.ts";

export interface InteractiveRunParts {
  readonly options: RunOptions;
  /** The screen, its first frame drawn. */
  readonly opening: Opening;
  /** Absolute. */
  readonly home: string;
  readonly warnings: Warnings;
  readonly resumed: Session | undefined;
  /** The first thing to do is to choose a session. */
  readonly asksForSession: boolean;
  /** A model was named on the command line. */
  readonly keepsModel: boolean;
  readonly choice: ModelChoice;
}

/** What runs behind the screen. */
export interface InteractiveRun {
  readonly screen: Interactive;
  /** The conversation that is open now. */
  readonly session: Session;
  /** Ends the turn, the session and the extensions; what was typed is on disk then. */
  stop(graceMs: number): Promise<void>;
}

/** Puts the agent, its host and the screen together; nothing runs before `screen.open()`. */
export async function interactiveRun(parts: InteractiveRunParts): Promise<InteractiveRun> {
  const { options, opening, home, warnings, resumed, asksForSession, keepsModel, choice } = parts;
  const { view, settings } = opening;
  // Answers of an earlier run are seen in their form at once, not a moment later.
  if (resumed !== undefined) await view.markdown.load();
  const sessions = sessionStore(options.cwd, options.session, warnings.warn);
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
    opening,
    agent,
    host,
    models: new Models({ choice, auth }),
    auth,
    sessions,
    cwd: options.cwd,
    home,
    env: process.env,
    prompt: options.words,
    keepsModel,
    ...(asksForSession ? { pickFrom: await sessions.list() } : {}),
    watched: options.watch ? options.ext : [],
  });
  return {
    screen,
    get session() {
      return agent.session;
    },
    stop: async (graceMs) => {
      await agent.abort();
      agent.session.close();
      await Promise.all([host.stop(graceMs), screen.saved()]);
    },
  };
}
