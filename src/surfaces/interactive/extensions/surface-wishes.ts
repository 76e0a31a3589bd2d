import type { SlashCommands } from "../commands/slash-commands.ts";
import type { ExtensionDialogs } from "../dialogs/extension-dialogs.ts";
import type { PromptEditor } from "../editor/prompt-editor.ts";
import type { Prompts } from "../prompts.ts";
import type { Foreground } from "../screen/foreground.ts";
import type { Stage } from "../screen/stage.ts";
import type { Settings } from "../settings/settings.ts";
import { safeLine } from "../text/safe-text.ts";
import type { TranscriptView } from "../transcript/transcript.ts";
import type { ExtensionWishes } from "./extension-surface.ts";
import type { PanelRegion } from "./panel-region.ts";

export interface WishParts {
  readonly stage: Stage;
  readonly view: TranscriptView;
  readonly settings: Settings;
  readonly panel: PanelRegion;
  readonly foreground: Foreground;
  readonly dialogs: ExtensionDialogs;
  readonly prompts: Prompts;
  readonly commands: SlashCommands;
  readonly editor: PromptEditor;
}

const TITLE_MAX_CHARS = 200;

/** How each wish of an extension is carried out on this screen. */
export function surfaceWishes(parts: WishParts): ExtensionWishes {
  const { stage, view, settings, panel, foreground, dialogs, prompts, commands, editor } = parts;
  return {
    redraw: stage.redraw,
    bell: () => {
      if (settings.get("terminal_alerts_enabled") ?? true) stage.bell();
    },
    panelOpened: () => {
      panel.opened();
      foreground.openPanel(panel);
      stage.redraw();
    },
    panelClosed: () => {
      foreground.close(panel);
      stage.redraw();
    },
    ask: (dialog, signal) => dialogs.ask(dialog, signal),
    // Never opened by itself: a page that an extension names is for the user to visit or not.
    link: ({ extension, url, launchUrl, instructions }) => {
      const words = instructions === "" ? "asks you to visit" : instructions;
      // Its rows are set in behind the name, so that none of them can pass for zot's own.
      view.text(`${words}\n${launchUrl ?? url}`, "accent", `[${safeLine(extension, "strip")}] `);
    },
    prompt: (text) => void prompts.prompt(text),
    slash: (name, args) => void commands.run(name, args),
    insert: (text) => {
      editor.insertTextAtCursor(text);
      stage.redraw();
    },
    setEditorText: (text) => {
      editor.setText(text);
      stage.redraw();
    },
    setTitle: (title) => stage.setTitle(safeLine(title, "strip").slice(0, TITLE_MAX_CHARS)),
  };
}
