import { Agent, type PromptEnd } from "../agent/agent.ts";
import { AgentError } from "../agent/error.ts";
import type { Session } from "../agent/session/session.ts";
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import { builtinTools } from "../agent/tools/builtin.ts";
import type { BuiltinTool } from "../agent/tools/tool.ts";
import { withUris } from "../agent/tools/uri.ts";
import { type CommandOutcome, parseSlash } from "../host/contributions/commands.ts";
import { ExtensionHost } from "../host/host.ts";
import { AuthFile } from "../llm/accounts/auth-file.ts";
import { Models } from "../llm/accounts/models.ts";
import type { Model, ModelChoice } from "../llm/port.ts";
import { HeadlessSurface } from "../surfaces/headless.ts";
import { JsonRun } from "../surfaces/json.ts";
import { Output } from "../surfaces/output.ts";
import { PrintRun, StreamRun } from "../surfaces/print.ts";
import type { HeadlessRun } from "../surfaces/run.ts";
import { STOP_GRACE_MS, STOP_GRACE_ON_SIGNAL_MS } from "../wire/limits.ts";
import { CliError, EXIT } from "./error.ts";
import { zotHome } from "./home.ts";
import { RESERVED } from "./reserved.ts";
import type { RunOptions } from "./run-options.ts";
import { resumedSession, sessionStore } from "./session.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "./signals.ts";
import { sourceRunner } from "./source-runner.ts";
import { readStdin } from "./stdin.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

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
  let readerGone = false;
  using _signals = onEndSignal((received) => {
    signal = received;
    abort.abort();
  });
  const output = new Output((end) => {
    readerGone = end === "reader_gone";
    if (end !== "reader_gone") terminal.error(`cannot write to stdout: ${end.error}`);
    abort.abort();
  });
  const host = hostFor(options, model, terminal);
  try {
    const end = await conduct({ options, prompt, model, session, builtins, host, terminal, output }, abort.signal);
    if (signal !== undefined) return exitStatusOf(signal);
    // `zot … | head` got what it wanted.
    if (readerGone) return EXIT.ok;
    return end.kind === "completed" ? EXIT.ok : EXIT.failed;
  } finally {
    await host.stop(signal === undefined ? STOP_GRACE_MS : STOP_GRACE_ON_SIGNAL_MS);
    await output.drained();
    await terminal.flush();
  }
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
    systemPrompt: () => systemPromptOf(options),
    cwd: options.cwd,
    maxSteps: options.maxSteps,
    approval: options.approval,
    drained: () => output.drained(),
    ...(options.maxCost === undefined ? {} : { maxCost: options.maxCost }),
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

/** Which model to open: what the flags say, else the one that the session was last held with. */
export function modelChoice(options: RunOptions, resumed: Session | undefined): ModelChoice {
  const given = pick(options, "provider", "model", "baseUrl", "apiKey");
  const isNamed = given.provider !== undefined || given.model !== undefined || given.baseUrl !== undefined;
  const { provider = "", model = "" } = resumed?.meta ?? {};
  const last = isNamed || provider === "" ? {} : { provider, ...(model === "" ? {} : { model }) };
  return { ...last, ...given, userAgent: `zot/${version}`, env: process.env };
}

/** The complete system prompt of a run, as its flags shape it. */
export function systemPromptOf(options: RunOptions): string {
  return buildSystemPrompt({
    home: zotHome(process.env),
    cwd: options.cwd,
    append: options.appendSystemPrompt,
    useContextFiles: options.useContextFiles,
    now: new Date(),
    ...(options.systemPrompt === undefined ? {} : { replace: options.systemPrompt }),
  });
}

/** Starts the extensions, says which did not, and waits until their tools can be offered. False: cancelled meanwhile. */
export async function startHost(host: ExtensionHost, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const cancelled = new Promise<false>((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
  const started = host
    .start()
    .then(() => host.whenReady())
    .then((): true => true);
  if (!(await Promise.race([started, cancelled]))) return false;
  const project = host.extensions
    .filter((extension) => extension.scope === "project")
    .map((extension) => extension.name);
  if (project.length > 0)
    terminal.info(`extensions of this project run: ${project.join(", ")} (--no-ext leaves them out)`);
  for (const { candidate, text } of host.loadErrors) terminal.line(`extension load: ${candidate.dir}: ${text}`);
  return true;
}

/** A prompt that is a slash command of an extension runs it; the text for the model, or how it ended without one. */
async function throughCommand(
  prompt: string,
  host: ExtensionHost,
  shown: HeadlessRun,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | PromptEnd> {
  const slash = parseSlash(prompt);
  if (slash === undefined || !host.commands.has(slash.name)) return prompt;
  const outcome = await host.commands.invoke(slash.name, slash.args, signal);
  return outcome.kind === "prompt" ? outcome.text : withoutTurn(outcome, slash.name, shown, terminal);
}

function withoutTurn(
  outcome: Exclude<CommandOutcome, { kind: "prompt" }>,
  name: string,
  shown: HeadlessRun,
  terminal: Terminal,
): PromptEnd {
  switch (outcome.kind) {
    case "display":
      shown.display(outcome.text, outcome.extension);
      break;
    case "insert":
    case "open_panel":
      terminal.warn(
        `/${name} wants ${outcome.kind === "insert" ? "an editor" : "a panel"}, which needs a terminal session`,
      );
      break;
    case "noop":
      break;
    case "cancelled":
      return { kind: "aborted", text: "" };
    case "error":
      terminal.error(outcome.text);
      return { kind: "failed", error: new AgentError("command", outcome.text) };
  }
  return { kind: "completed", text: "" };
}

function headlessRun(options: RunOptions, output: Output, line: (text: string) => void): HeadlessRun {
  if (options.mode === "json") return new JsonRun(output, line);
  return options.mode === "stream" ? new StreamRun(output, line) : new PrintRun(output, line);
}

function hostFor(options: RunOptions, model: Model, terminal: Terminal): ExtensionHost {
  return new ExtensionHost({
    explicit: options.ext,
    scan: options.scanForExtensions,
    cwd: options.cwd,
    home: zotHome(process.env),
    version,
    env: process.env,
    sourceRunner,
    reserved: RESERVED,
    surface: new HeadlessSurface((text) => terminal.line(text)),
    model: () => ({ provider: model.provider, model: model.id }),
  });
}

async function promptOf(options: RunOptions): Promise<string> {
  const piped = (await readStdin(options.words !== ""))?.trimEnd() ?? "";
  const prompt = [piped, options.words].filter((text) => text.trim() !== "").join("\n");
  if (prompt === "")
    throw new CliError("usage", "no prompt: give it as an argument or on stdin, for example zot -p 'hello'");
  return prompt;
}

/** The built-in tools of a run; `names` undefined: all. Throws `CliError` for a name that is none. */
export function selectTools(all: readonly BuiltinTool[], names: readonly string[] | undefined): readonly BuiltinTool[] {
  if (names === undefined) return all;
  for (const name of names) {
    if (all.some((tool) => tool.name === name)) continue;
    const known = all.map((tool) => tool.name).join(", ");
    throw new CliError("usage", `--tools: no built-in tool is called ${JSON.stringify(name)}; there are ${known}`);
  }
  return all.filter((tool) => names.includes(tool.name));
}

function pick<T extends object, K extends keyof T>(
  from: T,
  ...keys: readonly K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  const out: { [P in K]?: Exclude<T[P], undefined> } = {};
  for (const key of keys) if (from[key] !== undefined) Object.assign(out, { [key]: from[key] });
  return out;
}
