import type { ExtensionHost } from "../../host/host.ts";
import type { LayoutParts } from "./layout.ts";
import type { StatusPiece } from "./screen/status-line.ts";
import { shortPath } from "./text/short-path.ts";

type StatusParts = Pick<LayoutParts, "agent" | "host" | "cwd" | "agentView" | "hasNoModel">;

/** What the status line tells, most important first when there is little room. */
export function statusPieces({ agent, host, cwd, agentView, hasNoModel }: StatusParts): StatusPiece[] {
  const { model, reasoning, usage } = agent;
  const none = hasNoModel() ? "no model (/login)" : "";
  return [
    { text: model.provider === "none" ? none : model.id, rank: 0 },
    { text: model.reasons && reasoning !== undefined ? reasoning : "", rank: 4 },
    { text: agent.approval.mode === "never" ? "" : "asks before tools", rank: 1 },
    { text: shortPath(cwd), rank: 5 },
    { text: contextText(model.contextWindow, agentView.contextTokens), rank: 2 },
    { text: usage.costUsd > 0 ? `$${usage.costUsd.toFixed(usage.costUsd < 1 ? 3 : 2)}` : "", rank: 6 },
    { text: extensionsText(host), rank: 3 },
  ];
}

/** How full the context was at the last request. */
function contextText(window: number, tokens: number): string {
  return window <= 0 || tokens <= 0 ? "" : `context ${Math.min(100, Math.round((tokens / window) * 100))} %`;
}

function extensionsText(host: ExtensionHost): string {
  const { extensions } = host;
  if (extensions.length === 0) return "";
  const count = `${extensions.length} extension${extensions.length === 1 ? "" : "s"}`;
  const starting = extensions.filter(({ state }) => state === "starting" || state === "registering").length;
  const gone = extensions.filter(({ state }) => state === "gone").length;
  const slowest = Math.max(0, ...extensions.map(({ startMs }) => startMs ?? 0));
  const notes = [
    starting > 0 ? `${starting} starting` : "",
    gone > 0 ? `${gone} not running` : "",
    slowest > 0 ? `${Math.round(slowest)} ms` : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? count : `${count} (${notes.join(", ")})`;
}

/** The extensions by name, for the first screen: those that run, and what the others are doing. */
export function extensionNames(host: ExtensionHost): string {
  const names = host.extensions.map(({ name, state, startMs }) => {
    if (state === "ready") return startMs === undefined ? name : `${name} (${Math.round(startMs)} ms)`;
    return state === "starting" || state === "registering" ? `${name} (starting)` : `${name} (not running)`;
  });
  return names.join(", ");
}
