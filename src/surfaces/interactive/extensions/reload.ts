import type { Agent } from "../../../agent/agent.ts";
import type { ExtensionHost, ReloadReport } from "../../../host/host.ts";

export interface ReloadParts {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly loadErrors: { show(): void };
  /** Shows that something is under way until `work` has settled. */
  busy<T>(text: string, work: Promise<T>): Promise<T>;
}

/**
 * Loads all extensions again and shows what did not load. End a running turn first, or wait for its end. Prompts wait
 * meanwhile: none may pass by an extension that guards.
 */
export async function reloadExtensions({ agent, host, loadErrors, busy }: ReloadParts): Promise<ReloadReport> {
  using _held = agent.hold();
  // What they noted is about what is stopped now.
  host.chrome.notes.dismiss();
  const report = await busy("reloading extensions", host.reload());
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
