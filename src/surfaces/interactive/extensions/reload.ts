import type { Agent } from "../../../agent/agent.ts";
import type { ExtensionHost, ReloadReport } from "../../../host/host.ts";

export interface ReloadParts {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly loadErrors: { show(): void };
  /** Shows that something is under way, until it is told `undefined`. */
  busy(text: string | undefined): void;
}

/** Loads all extensions again and shows what did not load. End a running turn first, or wait for its end. */
export async function reloadExtensions({ agent, host, loadErrors, busy }: ReloadParts): Promise<ReloadReport> {
  busy("reloading extensions");
  const report = await host.reload().finally(() => busy(undefined));
  agent.resetSystemPrompt();
  loadErrors.show();
  return report;
}

/** extension-host.md §7.1 */
export function reloadText({ stopped, loaded, ready, errors }: ReloadReport): string {
  const counts = `reloaded: ${stopped} stopped, ${loaded} loaded (${ready} ready)`;
  if (errors.length === 0) return counts;
  const texts = errors.map(({ candidate, text }) => `${candidate.name}: ${text}`);
  return `${counts}, ${errors.length} error${errors.length === 1 ? "" : "s"}: ${texts.join("; ")}`;
}
