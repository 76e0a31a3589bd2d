import type { AgentOptions } from "../agent/agent.ts";
import type { Session } from "../agent/session/session.ts";
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import type { BuiltinTool } from "../agent/tools/tool.ts";
import type { ExtensionHost, HostOptions } from "../host/host.ts";
import type { ModelChoice } from "../llm/port.ts";
import { projectExtensionsText } from "../surfaces/project-extensions.ts";
import { CliError } from "./error.ts";
import { zotHome } from "./home.ts";
import { RESERVED } from "./reserved.ts";
import type { RunOptions } from "./run-options.ts";
import { sourceRunner } from "./source-runner.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

// What every kind of run is put together from: headless, interactive, rpc.

/** What the host of every run is made with; the surface comes with the run. */
export function hostOptions(options: RunOptions): Omit<HostOptions, "surface" | "model"> {
  return {
    explicit: options.ext,
    scan: options.scanForExtensions,
    cwd: options.cwd,
    home: zotHome(process.env),
    version,
    env: process.env,
    sourceRunner,
    reserved: RESERVED,
  };
}

/** What the agent of every run is made with, as its flags say. */
export function agentOptions(
  options: RunOptions,
): Pick<AgentOptions, "systemPrompt" | "cwd" | "maxSteps" | "maxCost" | "approval"> {
  return {
    systemPrompt: () => systemPromptOf(options),
    cwd: options.cwd,
    maxSteps: options.maxSteps,
    approval: options.approval,
    ...(options.maxCost === undefined ? {} : { maxCost: options.maxCost }),
  };
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
  const project = projectExtensionsText(host);
  if (project !== undefined) terminal.info(project);
  for (const { candidate, text } of host.loadErrors) terminal.line(`extension load: ${candidate.dir}: ${text}`);
  return true;
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
