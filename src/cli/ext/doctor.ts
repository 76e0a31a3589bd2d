import type { Claim } from "../../host/contributions/registry.ts";
import type { Extension } from "../../host/extension.ts";
import { ExtensionHost } from "../../host/host.ts";
import type { Candidate } from "../../host/launch/discovery.ts";
import { logPath } from "../../host/launch/log.ts";
import { globalRoot } from "../../host/launch/roots.ts";
import { HeadlessSurface } from "../../surfaces/headless.ts";
import { plainText } from "../../surfaces/plain-text.ts";
import { STOP_GRACE_DOCTOR_MS } from "../../wire/limits.ts";
import { leaf } from "../command.ts";
import { zotHome } from "../home.ts";
import { RESERVED } from "../reserved.ts";
import { directory } from "../run-options.ts";
import { exitStatusOf, onEndSignal } from "../signals.ts";
import { sourceRunner } from "../source-runner.ts";
import { version } from "../version.ts";

/** Doctor does not wait as long as a run: a person is looking at it (§7.4). */
const HELLO_CAP_MS = 5_000;

/** `zot ext doctor`: starts everything as a run would and tells what became of it (extension-host.md §7.4). Always 0. */
export const doctorCommand = leaf({
  name: "doctor",
  description: "start every extension, say what loaded and what did not, stop them again",
  flags: {
    ext: { type: "string", short: "e", multiple: true, valueHint: "PATH", description: "also look at this extension" },
    "no-ext": { type: "boolean", description: "look at --ext only" },
    cwd: { type: "string", valueHint: "DIR", description: "the project directory" },
  },
  words: {},
  example: "zot ext doctor --ext ./my-extension",
  async run({ values }) {
    const home = zotHome(process.env);
    const notes: string[] = [];
    const host = new ExtensionHost({
      explicit: values.ext ?? [],
      scan: values["no-ext"] !== true,
      cwd: directory(values.cwd),
      home,
      version,
      env: process.env,
      sourceRunner,
      reserved: RESERVED,
      helloDeadlineCapMs: HELLO_CAP_MS,
      surface: new HeadlessSurface((line) => notes.push(line)),
      // No model is open here; extensions are told so rather than a name that is not in use.
      model: () => ({ provider: "", model: "" }),
    });
    const interrupted = Promise.withResolvers<number>();
    using _signals = onEndSignal((signal) => interrupted.resolve(exitStatusOf(signal)));
    const examined = host.start().then(() => host.whenReady());
    const status = await Promise.race([examined.then(() => 0), interrupted.promise]);
    if (status === 0) console.log(plainText(reportOf(host, home)));
    await host.stop(STOP_GRACE_DOCTOR_MS);
    return status;
  },
});

function reportOf(host: ExtensionHost, home: string): string {
  if (host.candidates.length === 0) {
    return `zot extension doctor\n\nno extensions installed\nput one into ${globalRoot(home)}, or look at one with zot ext doctor --ext DIR`;
  }
  const lines = ["zot extension doctor", ""];
  for (const candidate of host.candidates) lines.push(...examine(candidate, host, home));
  if (host.loadErrors.length > 0) {
    lines.push("", "load errors:");
    for (const { candidate, text } of host.loadErrors) lines.push(`  ! ${candidate.dir}: ${text}`);
  }
  return lines.join("\n");
}

function examine(candidate: Candidate, host: ExtensionHost, home: string): string[] {
  const { name, scope, dir, manifest, verdict } = candidate;
  const title = (status: string): string => `${name} [${scope}] ${status} (${dir})`;
  const log = manifest !== undefined && manifest.exec !== "" ? [`  log: ${logPath(home, manifest.name)}`] : [];
  const versionRow = manifest?.version ? [`  version: ${manifest.version}`] : [];
  switch (verdict.kind) {
    case "error":
      return [title("error"), `  error: ${verdict.error.message}`];
    case "shadowed":
      return [
        title("shadowed"),
        `  note: skipped because ${verdict.by} has the same name and a higher-priority directory`,
      ];
    case "disabled":
      return [title("disabled"), "  note: disabled in extension.json"];
    case "winner":
      break;
  }
  const extension = host.extensions.find((started) => started.loadIndex === candidate.loadIndex);
  const skills = extension?.skills.map(({ name: skill }) => skill) ?? [];
  const warnings = extension?.diagnostics.entries.map((entry) => `  warning: ${entry}`) ?? [];
  if (manifest?.exec === "") {
    const kind = manifest.hasTheme ? "theme-only" : "skills-only";
    return [title(kind), `  type: ${kind}`, ...rows("skills", skills), ...warnings];
  }
  const failed = host.loadErrors.some((error) => error.candidate.loadIndex === candidate.loadIndex);
  if (extension === undefined || failed) return [title("not loaded"), ...versionRow, ...log];
  const { commands, tools } = host.registry.of(extension);
  return [
    title(statusOf(extension)),
    ...versionRow,
    `  exec: ${[manifest?.exec, ...(manifest?.args ?? [])].join(" ")}`,
    ...log,
    ...claims("commands", commands, "/"),
    ...claims("tools", tools, ""),
    ...rows("skills", skills),
    ...warnings,
  ];
}

function statusOf(extension: Extension): string {
  if (extension.state !== "ready") return "not ready";
  if (extension.readiness === "timeout") return "ready-timeout";
  if (extension.readiness === "auto") return "auto-ready";
  return extension.diagnostics.entries.length > 0 ? "warning" : "ok";
}

function claims(title: string, list: readonly Claim[], prefix: string): string[] {
  const states = list.map(({ name, active }) => `${prefix}${name} (${active ? "active" : "shadowed"})`);
  return rows(title, states);
}

function rows(title: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : [`  ${title}:`, ...list.map((row) => `    ${row}`)];
}
