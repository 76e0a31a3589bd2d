import { PromptEditor } from "./editor/prompt-editor.ts";
import { EditorPlace } from "./screen/editor-place.ts";
import { Shell } from "./screen/shell.ts";
import { Stage } from "./screen/stage.ts";
import { StatusLine } from "./screen/status-line.ts";
import type { Settings } from "./settings/settings.ts";
import { shortPath } from "./text/short-path.ts";
import { BUILTIN_THEMES } from "./theme/builtin.ts";
import type { Look } from "./theme/look.ts";
import { TranscriptView } from "./transcript/transcript.ts";
import { WelcomeBlock } from "./transcript/welcome-block.ts";

export interface OpeningOptions {
  readonly look: Look;
  readonly settings: Settings;
  readonly version: string;
  /** Absolute project directory. */
  readonly cwd: string;
}

/**
 * The screen before there is anything behind it: the terminal, and what every first frame shows. It is all that is loaded
 * before that frame; `Interactive` goes on with its parts. Keys that come meanwhile wait.
 */
export class Opening {
  readonly look: Look;
  readonly settings: Settings;
  readonly stage: Stage;
  readonly view: TranscriptView;
  readonly welcome: WelcomeBlock;
  readonly editor: PromptEditor;
  readonly #cwd: string;

  constructor({ look, settings, version, cwd }: OpeningOptions) {
    this.look = look;
    this.settings = settings;
    this.#cwd = cwd;
    const theme = BUILTIN_THEMES.find(({ name }) => name === settings.get("theme"));
    if (theme !== undefined) look.use(theme);
    this.stage = new Stage({ look, mouse: settings.get("mouse") ?? true });
    this.view = new TranscriptView(look, this.stage.redraw);
    this.welcome = new WelcomeBlock(look, { version, cwd });
    this.view.add(this.welcome);
    this.editor = new PromptEditor(this.stage.tui, look);
  }

  /** Takes the terminal and draws the first frame before it returns. */
  draw(): void {
    const { look, stage, view, editor } = this;
    stage.focus(editor);
    const status = [{ text: shortPath(this.#cwd), rank: 0 }];
    stage.up(
      new Shell(stage.terminal, {
        transcript: view.scroll,
        regions: [
          { region: new EditorPlace(() => editor), rank: 0 },
          { region: new StatusLine(look, () => status), rank: 1 },
        ],
      }),
    );
  }
}
