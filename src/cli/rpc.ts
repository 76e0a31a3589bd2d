import { Agent } from "../agent/agent.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import { ExtensionHost } from "../host/host.ts";
import { raceTimeout } from "../host/race.ts";
import { AuthFile } from "../llm/accounts/auth-file.ts";
import { Models } from "../llm/accounts/models.ts";
import type { RpcDialect } from "../surfaces/rpc/dialect.ts";
import type { RpcEngine } from "../surfaces/rpc/engine.ts";
import { OUTPUT_ON_SIGNAL_MS } from "../surfaces/rpc/limits.ts";
import { OmpRpc } from "../surfaces/rpc/omp/omp-rpc.ts";
import { FrameOutput } from "../surfaces/rpc/transport/frame-output.ts";
import { inputLines } from "../surfaces/rpc/transport/input.ts";
import { guardStdout } from "../surfaces/rpc/transport/stdout-guard.ts";
import { takeToken } from "../surfaces/rpc/zot/token.ts";
import { ZotRpc } from "../surfaces/rpc/zot/zot-rpc.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { leaf } from "./command.ts";
import { CliError, EXIT } from "./error.ts";
import { zotHome } from "./home.ts";
import { RunAccounts } from "./rpc-accounts.ts";
import { Ending } from "./rpc-ending.ts";
import { RunModels } from "./rpc-models.ts";
import { RUN_FLAGS } from "./run-flags.ts";
import { type RunOptions, runOptions, type Wire } from "./run-options.ts";
import { agentOptions, hostOptions, modelChoice, selectTools, startHost, systemPromptOf } from "./run-parts.ts";
import { resumedSession, sessionStore } from "./session.ts";
import type { SessionChoice } from "./session-choice.ts";
import { onEndSignal } from "./signals.ts";
import { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** `zot rpc`: the agent for an editor, a web page or a script, by frames on stdin and stdout. */
export const rpcCommand = leaf({
  name: "rpc",
  description: "serve the agent to another program, by JSON frames on stdin and stdout",
  flags: RUN_FLAGS,
  example: `echo '{"id":"1","type":"prompt","message":"hello"}' | zot rpc --provider offline`,
  run: async (parsed) => {
    if (parsed.values.version === true) {
      console.log(version);
      return EXIT.ok;
    }
    const options = runOptions(parsed);
    const terminal = new Terminal();
    const status = await runRpc(options, options.wire, terminal);
    await terminal.flush();
    return status;
  },
});

/**
 * Serves one client until it closes its side, and resolves with the exit status (rpc-wire.md §1.8). Nothing but frames
 * goes to stdout. Throws `CliError` and `LlmError` before the first of them.
 */
export async function runRpc(options: RunOptions, wire: Wire, terminal: Terminal): Promise<number> {
  using _guard = guardStdout();
  // Neither extensions nor tools may find it in their environment.
  const token = takeToken(process.env);
  if (options.words.startsWith("@")) {
    terminal.error("@file arguments are not supported in RPC mode");
    return EXIT.failed;
  }
  if (options.words !== "") throw new CliError("usage", "zot rpc takes no prompt: send one as a frame on stdin");

  const ending = new Ending();
  using _signals = onEndSignal((signal) => ending.by(signal));
  const output = new FrameOutput((end) => {
    if (end !== "reader_gone") terminal.error(`cannot write to stdout: ${end.error}`);
    ending.by("output");
  });
  const dialect = dialectFor(wire, options, { output, token, ending, terminal });
  const engine = await engineFor(dialect, wire, options, terminal);
  try {
    dialect.greet();
    await serve(dialect, engine, terminal, ending);
  } finally {
    await close(dialect, engine, output, ending);
  }
  const isLost = engine.savesSessions && !engine.agent.session.isSaved;
  return isLost && ending.status === EXIT.ok ? EXIT.failed : ending.status;
}

interface Ends {
  readonly output: FrameOutput;
  readonly token: string | undefined;
  readonly ending: Ending;
  readonly terminal: Terminal;
}

function dialectFor(wire: Wire, { showsUi }: RunOptions, { output, token, ending, terminal }: Ends): RpcDialect {
  const write = (line: string): void => output.write(line);
  const onDefect = (error: unknown): void => terminal.error(`internal error: ${String(error)}`);
  if (wire === "zot") return new ZotRpc({ write, token, refuse: () => ending.by("refused"), onDefect });
  const showsTitle = /^(1|true|yes|on)$/i.test(process.env["PI_RPC_EMIT_TITLE"] ?? "");
  return new OmpRpc({ write, isBehind: () => output.isBehind, showsUi, showsTitle, onDefect });
}

async function engineFor(dialect: RpcDialect, wire: Wire, options: RunOptions, terminal: Terminal): Promise<RpcEngine> {
  const builtins = selectTools(builtinTools(), options.tools);
  const home = zotHome(process.env);
  const kept = sessionOf(wire, options.session);
  const sessions = sessionStore(options.cwd, kept, (text) => {
    terminal.warn(text);
    dialect.warn(text);
  });
  const resumed = await resumedSession(sessions, kept);
  const auth = new AuthFile(home);
  const models = new Models({ choice: modelChoice(options, resumed), auth });
  const model = await models.first();
  const host = new ExtensionHost({
    ...hostOptions(options),
    surface: dialect.surface,
    model: () => ({ provider: agent.model.provider, model: agent.model.id }),
  });
  const agent: Agent = new Agent({
    model,
    host,
    builtins: dialect.tools(builtins, host),
    guests: () => dialect.guests(),
    session: resumed ?? sessions.create({ provider: model.provider, model: model.id }),
    ...agentOptions(options),
    // A slow client must not slow the agent down: what it does not read is kept for it.
    drained: () => undefined,
    ...(dialect.approver === undefined ? {} : { approver: dialect.approver }),
    ...(options.reasoning === undefined ? {} : { reasoning: options.reasoning }),
  });
  const usable = new RunModels(models, model);
  return {
    agent,
    host,
    models: usable,
    accounts: new RunAccounts(auth, models, usable),
    sessions,
    savesSessions: kept.kind !== "unsaved",
    version,
    cwd: options.cwd,
    systemPrompt: () => systemPromptOf(options),
  };
}

/** The line protocol knows no sessions (extension-host.md §7.9): nothing is kept unless it is asked for. */
function sessionOf(wire: Wire, choice: SessionChoice): SessionChoice {
  return wire === "zot" && choice.kind === "new" ? { kind: "unsaved" } : choice;
}

async function serve(dialect: RpcDialect, engine: RpcEngine, terminal: Terminal, ending: Ending): Promise<void> {
  // Claimed before any extension runs, and read while they start: their dialogs are answered by this client.
  const reading = read(dialect, terminal);
  if (!(await startHost(engine.host, terminal, ending.signal))) return;
  dialect.start(engine);
  await Promise.race([reading.then(() => dialect.finish()), ending.when()]);
}

async function read(dialect: RpcDialect, terminal: Terminal): Promise<void> {
  try {
    for await (const line of inputLines(Bun.stdin.stream(), dialect.lineLimit)) await dialect.receive(line);
  } catch (error) {
    // Nothing more can come from a stdin that cannot be read: the same as its end.
    terminal.error(`cannot read stdin: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function close(
  dialect: RpcDialect,
  { agent, host }: RpcEngine,
  output: FrameOutput,
  ending: Ending,
): Promise<void> {
  const isHurried = ending.cause !== undefined;
  dialect.abandon();
  await raceTimeout(agent.abort(), STOP_GRACE_MS);
  await host.stop(isHurried ? STOP_GRACE_ON_SIGNAL_MS : STOP_GRACE_MS);
  agent.session.close();
  // A client that reads late still gets everything, unless somebody told us to end.
  if (!isHurried) await Promise.race([output.delivered(), ending.when()]);
  if (ending.cause !== undefined) await raceTimeout(output.delivered(), OUTPUT_ON_SIGNAL_MS);
  await output[Symbol.asyncDispose]();
}
