import type { Extension } from "../../../host/extension.ts";
import type { Candidate } from "../../../host/launch/discovery.ts";
import { reloadExtensions, reloadText } from "../extensions/reload.ts";
import { fileEnd } from "../text/file-end.ts";
import { safeLine } from "../text/safe-text.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

const LOG_SHOWN_BYTES = 8 * 1024;

/** `/reload-ext` and `/ext`. */
export function extensionCommands(desk: Desk): BuiltinCommand[] {
  return [
    { name: "reload-ext", description: "stop all extensions and load them again", run: () => reload(desk) },
    {
      name: "ext",
      hint: "[list|logs NAME|doctor]",
      description: "see the extensions, their logs, what is wrong with them",
      run: (args) => inspect(desk, args),
    },
  ];
}

async function reload(desk: Desk): Promise<void> {
  await desk.agent.abort();
  const report = await reloadExtensions(desk);
  if (report.errors.length === 0) desk.say(reloadText(report));
  else desk.fail(reloadText(report));
}

function inspect(desk: Desk, args: string): void {
  const [verb = "list", name = ""] = args.split(/\s+/);
  if (verb === "" || verb === "list") desk.say(listText(desk));
  else if (verb === "doctor") desk.say(doctorText(desk));
  else if (verb === "logs") logs(desk, name);
  else desk.fail(`/ext knows list, logs NAME and doctor, not ${verb}`);
}

function listText({ host }: Desk): string {
  const { candidates } = host;
  if (candidates.length === 0) return "There are no extensions here; zot --ext PATH brings one along.";
  const rows = candidates.map((candidate) => {
    return `  ${safeLine(candidate.name, "strip")} [${candidate.scope}] ${stateText(candidate, extensionOf(host.extensions, candidate))}`;
  });
  return ["Extensions", ...rows].join("\n");
}

function doctorText({ host }: Desk): string {
  const rows = host.candidates.flatMap((candidate) => {
    const extension = extensionOf(host.extensions, candidate);
    const head = `${safeLine(candidate.name, "strip")} [${candidate.scope}] ${stateText(candidate, extension)}`;
    const fault = host.loadErrors.find((error) => error.candidate.loadIndex === candidate.loadIndex)?.text;
    const offered = extension === undefined ? undefined : host.registry.of(extension);
    const names = (list: readonly { readonly name: string; readonly active: boolean }[]): string =>
      list.map(({ name, active }) => (active ? name : `${name} (shadowed)`)).join(", ");
    return [
      head,
      `  ${candidate.dir}`,
      ...(fault === undefined ? [] : [`  error: ${fault}`]),
      ...(offered === undefined || offered.commands.length === 0 ? [] : [`  commands: ${names(offered.commands)}`]),
      ...(offered === undefined || offered.tools.length === 0 ? [] : [`  tools: ${names(offered.tools)}`]),
      ...(extension?.diagnostics.entries ?? []).map((entry) => `  warning: ${entry}`),
      ...(extension?.logPath === undefined ? [] : [`  log: ${extension.logPath}`]),
    ];
  });
  return rows.length === 0 ? "There are no extensions here." : rows.join("\n");
}

function stateText({ verdict }: Candidate, extension: Extension | undefined): string {
  switch (verdict.kind) {
    case "error":
      return `error: ${verdict.error.message}`;
    case "disabled":
      return "disabled";
    case "shadowed":
      return `shadowed by ${verdict.by}`;
    case "winner":
      break;
  }
  if (extension === undefined) return "not loaded";
  const { state, startMs } = extension;
  return startMs === undefined || state !== "ready" ? state : `ready in ${Math.round(startMs)} ms`;
}

function extensionOf(extensions: readonly Extension[], { loadIndex }: Candidate): Extension | undefined {
  return extensions.find((extension) => extension.loadIndex === loadIndex);
}

function logs({ host, say, fail }: Desk, name: string): void {
  const extension = host.extensions.find((each) => each.name === name);
  const names = host.extensions.filter(({ logPath }) => logPath !== undefined).map((each) => each.name);
  if (extension?.logPath === undefined) {
    const known = names.length === 0 ? "none has one" : `there are those of ${names.join(", ")}`;
    fail(name === "" ? `/ext logs needs a name; ${known}` : `there is no log of ${name}; ${known}`);
    return;
  }
  say(`${extension.logPath}\n${endOf(extension.logPath)}`);
}

/** The last lines of a log. Throws the error of the file system. */
function endOf(path: string): string {
  const { text, isCut } = fileEnd(path, LOG_SHOWN_BYTES);
  return isCut ? text.slice(text.indexOf("\n") + 1) : text;
}
