import { Agent } from "../agent/agent.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import { ExtensionHost } from "../host/host.ts";
import { raceTimeout } from "../host/race.ts";
import { openModel } from "../llm/open.ts";
import type { RpcDialect } from "../surfaces/rpc/dialect.ts";
import type { RpcEngine } from "../surfaces/rpc/engine.ts";
import { OUTPUT_ON_SIGNAL_MS } from "../surfaces/rpc/limits.ts";
import { FrameOutput } from "../surfaces/rpc/transport/frame-output.ts";
import { inputLines } from "../surfaces/rpc/transport/input.ts";
import { guardStdout } from "../surfaces/rpc/transport/stdout-guard.ts";
import { takeToken } from "../surfaces/rpc/zot/token.ts";
import { ZotRpc } from "../surfaces/rpc/zot/zot-rpc.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { leaf } from "./command.ts";
import { EXIT, UsageError } from "./error.ts";
import type { Flags } from "./flags.ts";
import { zotHome } from "./home.ts";
import { RESERVED } from "./reserved.ts";
import { RunModels } from "./rpc-models.ts";
import { modelChoice, selectTools, startHost, systemPromptOf } from "./run.ts";
import { RUN_FLAGS } from "./run-flags.ts";
import { type RunOptions, runOptions } from "./run-options.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "./signals.ts";
import { resumedSession, sessionStore } from "./session.ts";
import { sourceRunner } from "./source-runner.ts";
import { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** The two languages of `zot rpc` (cli.md). */
export const WIRES = ["omp", "zot"] as const;
export type Wire = (typeof WIRES)[number];

/** The flags of `zot rpc`: those of a run and the language. */
export const RPC_FLAGS = {
  ...RUN_FLAGS,
  wire: { type: "string", choices: WIRES, description: "language of the frames: omp (default) or the line protocol" },
} as const satisfies Flags;

/** `zot rpc`: the agent for an editor, a web page or a script, by frames on stdin and stdout. */
export const rpcCommand = leaf({
  name: "rpc",
  description: "serve the agent to another program, by JSON frames on stdin and stdout",
  flags: RPC_FLAGS,
  example: `echo '{"id":"1","type":"prompt","message":"hello"}' | zot rpc --provider offline`,
  run: (parsed) => runRpc(runOptions(parsed), wireOf(parsed.values.wire), new Terminal()),
});

export function wireOf(name: string | undefined): Wire {
  return name === "zot" ? "zot" : "omp";
}

/**
 * Serves one client until it closes its side, and resolves with the exit status (rpc-wire.md §1.8). Nothing but frames
 * goes to stdout. Throws `UsageError` and `LlmError` before the first of them.
 */
export async function runRpc(options: RunOptions, wire: Wire, terminal: Terminal): Promise<number> {
  using _guard = guardStdout();
  if (options.words !== "") throw new UsageError("zot rpc takes no prompt: send one as a frame on stdin");
  if (wire === "omp") throw new UsageError("the omp wire is not there yet; use --wire zot");
  const token = takeToken(process.env);
  const builtins = selectTools(builtinTools(), options.tools);
  const store = sessionStore(options.cwd, options.session, (text) => terminal.warn(text));
  const resumed = await resumedSession(store, options.session);
  const choice = modelChoice(options, resumed);
  const model = await openModel(choice);

  const ending = new Ending();
  using _signals = onEndSignal((signal) => ending.by(signal));
  const output = new FrameOutput((end) => {
    if (end !== "reader_gone") terminal.error(`cannot write to stdout: ${end.error}`);
    ending.by("output");
  });
  const write = (line: string): void => output.write(line);
  const onDefect = (error: unknown): void => terminal.error(`internal error: ${String(error)}`);
  const dialect = new ZotRpc({ write, token, refuse: () => ending.by("refused"), onDefect });
  const host = new ExtensionHost({
    explicit: options.ext,
    scan: options.scanForExtensions,
    cwd: options.cwd,
    home: zotHome(process.env),
    version,
    env: process.env,
    sourceRunner,
    reserved: RESERVED,
    surface: dialect.surface,
    model: () => ({ provider: agent.model.provider, model: agent.model.id }),
  });
  const agent: Agent = new Agent({
    model,
    host,
    builtins: dialect.tools(builtins),
    session: resumed ?? store.create({ provider: model.provider, model: model.id }),
    systemPrompt: () => systemPromptOf(options),
    cwd: options.cwd,
    maxSteps: options.maxSteps,
    approval: options.approval,
    // A slow client must not slow the agent down: what it does not read is kept for it.
    drained: () => undefined,
    ...(dialect.approver === undefined ? {} : { approver: dialect.approver }),
    ...(options.reasoning === undefined ? {} : { reasoning: options.reasoning }),
  });
  const engine = { agent, host, store, models: new RunModels(choice, model), version, cwd: options.cwd };
  try {
    dialect.greet();
    await serve(dialect, engine, terminal, ending);
  } finally {
    await close(dialect, engine, output, ending);
  }
  return ending.status;
}

/** Why the service ends before the client has closed its side. */
type Cause = EndSignal | "output" | "refused";

/** The first of the reasons to end, and what it means for the exit status. */
class Ending {
  readonly #abort = new AbortController();
  #cause: Cause | undefined;

  get cause(): Cause | undefined {
    return this.#cause;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get status(): number {
    if (this.#cause === undefined) return EXIT.ok;
    return this.#cause === "output" || this.#cause === "refused" ? EXIT.failed : exitStatusOf(this.#cause);
  }

  by(cause: Cause): void {
    this.#cause ??= cause;
    this.#abort.abort();
  }
}

async function serve(dialect: RpcDialect, engine: RpcEngine, terminal: Terminal, ending: Ending): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (ending.signal.aborted) resolve();
    ending.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // Claimed before any extension runs, and read while they start: their dialogs are answered by this client.
  const reading = read(dialect, terminal);
  if (!(await startHost(engine.host, terminal, ending.signal))) return;
  engine.agent.announce("session_start");
  dialect.start(engine);
  await Promise.race([reading.then(() => dialect.finish()), ended]);
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
  agent.session.close();
  await host.stop(isHurried ? STOP_GRACE_ON_SIGNAL_MS : STOP_GRACE_MS);
  // A client that reads late still gets everything, unless somebody told us to end.
  if (isHurried) await raceTimeout(output.delivered(), OUTPUT_ON_SIGNAL_MS);
  else await output.delivered();
  await output[Symbol.asyncDispose]();
}
