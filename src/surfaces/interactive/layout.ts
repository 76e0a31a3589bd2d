import type { Agent } from "../../agent/agent.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { AgentView } from "./agent-view.ts";
import { QueueRegion } from "./editor/queue-region.ts";
import { NotesRegion } from "./extensions/notes-region.ts";
import type { PanelRegion } from "./extensions/panel-region.ts";
import { StatusesRegion } from "./extensions/statuses-region.ts";
import { WidgetsRegion } from "./extensions/widgets-region.ts";
import { ActivityLine } from "./screen/activity-line.ts";
import { EditorPlace } from "./screen/editor-place.ts";
import type { Foreground } from "./screen/foreground.ts";
import { Shell } from "./screen/shell.ts";
import type { Stage } from "./screen/stage.ts";
import { StatusLine } from "./screen/status-line.ts";
import { statusPieces } from "./status-pieces.ts";
import type { Look } from "./theme/look.ts";
import type { TranscriptView } from "./transcript/transcript.ts";

export interface LayoutParts {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly cwd: string;
  readonly look: Look;
  readonly stage: Stage;
  readonly view: TranscriptView;
  readonly agentView: AgentView;
  readonly panel: PanelRegion;
  readonly foreground: Foreground;
  /** False also while a model is still being opened. */
  hasNoModel(): boolean;
}

/** The screen from top to bottom (experience.md). What has the higher rank gives up its rows first. */
export function layOut(parts: LayoutParts): Shell {
  const { agent, host, look, stage, view, agentView, panel, foreground } = parts;
  const { notes, widgets, statuses } = host.chrome;
  return new Shell(stage.terminal, {
    transcript: view.scroll,
    regions: [
      { region: new ActivityLine(look, () => agentView.activity(foreground.kindOnTop === "question")), rank: 3 },
      { region: new NotesRegion(look, () => notes.list), rank: 5 },
      { region: panel, rank: 2 },
      { region: new WidgetsRegion(look, () => widgets.list), rank: 7 },
      { region: new StatusesRegion(look, () => statuses.list), rank: 6 },
      { region: new QueueRegion(look, agent), rank: 4 },
      { region: new EditorPlace(() => foreground.inEditorPlace), rank: 0 },
      { region: new StatusLine(look, () => statusPieces(parts)), rank: 1 },
    ],
  });
}
