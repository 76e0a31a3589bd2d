import { Agent, type PromptEnd } from "../agent/agent.ts";
import type { Session } from "../agent/session/session.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import type { BuiltinTool } from "../agent/tools/tool.ts";
import { withUris } from "../agent/tools/uri.ts";
import { untilAborted } from "../agent/until-aborted.ts";
import { ExtensionHost } from "../host/host.ts";
import { raceTimeout } from "../host/race.ts";
import { AuthFile } from "../llm/accounts/auth-file.ts";
import { Models } from "../llm/accounts/models.ts";
import type { Model } from "../llm/port.ts";
import { HeadlessSurface } from "../surfaces/headless.ts";
import { JsonRun } from "../surfaces/json.ts";
import { Output, type OutputEnd } from "../surfaces/output.ts";
import { PrintRun, StreamRun } from "../surfaces/print.ts";
import { OUTPUT_ON_SIGNAL_MS } from "../surfaces/rpc/limits.ts";
import type { HeadlessRun } from "../surfaces/run.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { CliError, EXIT } from "./error.ts";
import { zotHome } from "./home.ts";
import { throughCommand } from "./prompt-command.ts";
import type { RunOptions } from "./run-options.ts";
import { agentOptions, hostOptions, modelChoice, selectTools, startHost } from "./run-parts.ts";
import { resumedSession, sessionStore } from "./session.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "./signals.ts";
import { readStdin } from "./stdin.ts";
import type { Terminal } from "./terminal.ts";

/** One headless run from its prompt to its exit status. Throws `CliError` and `LlmError` before anything started. */
export async function run(options: RunOptions, terminal: Terminal): Promise<number> {
  const prompt = await promptOf(options);
  const builtins = selectTools(builtinTools(), options.tools);
  const store = sessionStore(options.cwd, options.session, (text) => terminal.warn(text));
  const resumed = await resumedSession(store, options.session);
  const choice = modelChoice(options, resumed);
  const model = await new Models({ choice, auth: new AuthFile(zotHome(process.env)) }).first();
  using session = resumed ?? store.create({ provider: model.provider, model: model.id });

  const abort = new AbortController();
  let signal: EndSignal | undefined;
  let outputEnd: OutputEnd | undefined;
  using _signals = onEndSignal((received) => {
    signal = received;
    abort.abort();
  });
  const output = new Output((end) => {
    outputEnd = end;
    if (end !== "reader_gone") terminal.error(`cannot write to stdout: ${end.error}`);
    abort.abort();
  });
  const host = new ExtensionHost({
    ...hostOptions(options),
    surface: new HeadlessSurface((text) => terminal.line(text)),
    model: () => ({ provider: model.provider, model: model.id }),
  });
  let end: PromptEnd;
  try {
    end = await conduct({ options, prompt, model, session, builtins, host, terminal, output }, abort.signal);
  } finally {
    await host.stop(signal === undefined ? STOP_GRACE_MS : STOP_GRACE_ON_SIGNAL_MS);
    await delivered(output, abort.signal);
    await terminal.flush();
  }
  if (signal !== undefined) return exitStatusOf(signal);
  // `zot … | head` got what it wanted; whoever lost the answer to a full disk did not.
  if (outputEnd !== undefined) return outputEnd === "reader_gone" ? EXIT.ok : EXIT.failed;
  return end.kind === "completed" ? EXIT.ok : EXIT.failed;
}

/** A slow reader still gets everything, unless somebody told us to end. */
async function delivered(output: Output, signal: AbortSignal): Promise<void> {
  await untilAborted(output.drained(), signal);
  await raceTimeout(Promise.resolve(output.drained()), OUTPUT_ON_SIGNAL_MS);
}

interface Conduct {
  readonly options: RunOptions;
  readonly prompt: string;
  readonly model: Model;
  readonly session: Session;
  readonly builtins: readonly BuiltinTool[];
  readonly host: ExtensionHost;
  readonly terminal: Terminal;
  readonly output: Output;
}

async function conduct(parts: Conduct, signal: AbortSignal): Promise<PromptEnd> {
  const { options, prompt, model, session, builtins, host, terminal, output } = parts;
  if (!(await startHost(host, terminal, signal))) return { kind: "aborted", text: "" };
  const shown = headlessRun(options, output, (text) => terminal.line(text));
  const agent = new Agent({
    model,
    host,
    builtins: withUris(builtins, host.uris),
    session,
    ...agentOptions(options),
    drained: () => output.drained(),
    ...(options.reasoning === undefined ? {} : { reasoning: options.reasoning }),
  });
  using _listening = agent.listen((event) => shown.event(event));
  signal.addEventListener("abort", () => void agent.abort(), { once: true });
  agent.announce("session_start");

  const text = await throughCommand(prompt, host, shown, terminal, signal);
  if (typeof text !== "string") return text;
  if (signal.aborted) return { kind: "aborted", text: "" };
  const end = await agent.prompt([{ type: "text", text }]);
  // The answer comes before the last event.
  await agent.settled();
  shown.end(end);
  if (end.kind === "failed") terminal.error(end.error.message);
  return end;
}

function headlessRun(options: RunOptions, output: Output, line: (text: string) => void): HeadlessRun {
  if (options.mode === "json") return new JsonRun(output, line);
  return options.mode === "stream" ? new StreamRun(output, line) : new PrintRun(output, line);
}

async function promptOf(options: RunOptions): Promise<string> {
  const piped = (await readStdin(options.words !== ""))?.trimEnd() ?? "";
  const prompt = [piped, options.words].filter((text) => text.trim() !== "").join("\n");
  if (prompt === "")
    throw new CliError("usage", "no prompt: give it as an argument or on stdin, for example zot -p 'hello'");
  return prompt;
}
