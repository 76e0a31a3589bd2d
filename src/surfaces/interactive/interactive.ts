import type { Agent } from "../../agent/agent.ts";
import type { Approver } from "../../agent/approval.ts";
import type { SessionStore } from "../../agent/session/store.ts";
import type { SessionSummary } from "../../agent/session/summary.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { AuthFile } from "../../llm/accounts/auth-file.ts";
import type { Models } from "../../llm/accounts/models.ts";
import { projectExtensionsText } from "../project-extensions.ts";
import { AgentView } from "./agent-view.ts";
import { addCommands } from "./commands/all-commands.ts";
import type { Desk } from "./commands/desk.ts";
import { resumeOneOf } from "./commands/session-commands.ts";
import { SlashCommands } from "./commands/slash-commands.ts";
import { Controls } from "./controls.ts";
import { ApprovalDialogs } from "./dialogs/approval-dialog.ts";
import { ExtensionDialogs } from "./dialogs/extension-dialogs.ts";
import { UserDialogs } from "./dialogs/user-dialogs.ts";
import { Completion } from "./editor/completion.ts";
import { FileIndex } from "./editor/file-index.ts";
import { PromptHistory } from "./editor/history.ts";
import type { PromptEditor } from "./editor/prompt-editor.ts";
import { ShellLine } from "./editor/shell-line.ts";
import { ExtensionSurface } from "./extensions/extension-surface.ts";
import { LoadErrors } from "./extensions/load-errors.ts";
import { PanelRegion } from "./extensions/panel-region.ts";
import { surfaceWishes } from "./extensions/surface-wishes.ts";
import { WatchMode } from "./extensions/watch-mode.ts";
import { Facts } from "./facts.ts";
import { layOut } from "./layout.ts";
import type { Opening } from "./opening.ts";
import { Prompts } from "./prompts.ts";
import { Foreground } from "./screen/foreground.ts";
import type { Stage } from "./screen/stage.ts";
import { Startup } from "./startup.ts";
import { ThemeChoice } from "./theme/theme-choice.ts";
import { ThemeShelf } from "./theme/theme-shelf.ts";
import type { TranscriptView } from "./transcript/transcript.ts";
import { WarningLines } from "./warning-lines.ts";

export interface InteractiveOptions {
  /** The screen as the first frame left it. */
  readonly opening: Opening;
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: Models;
  readonly auth: AuthFile;
  readonly sessions: SessionStore;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Where zot keeps its files, absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What was typed on the command line; said as soon as it can be. */
  readonly prompt: string;
  /** A model was named on the command line. */
  readonly keepsModel: boolean;
  /** What to choose a conversation from before anything else (`--resume` without an id). */
  readonly pickFrom?: readonly SessionSummary[];
  /** Absolute paths whose changes reload the extensions (`--watch`). */
  readonly watched: readonly string[];
}

/** Why the screen was left. */
export type Leave = "exit" | "terminal_lost";

/** The screen behind its first frame: makes the other parts and ties them together. Every rule lives in one of the parts. */
export class Interactive implements Disposable {
  readonly approver: Approver;
  readonly #options: InteractiveOptions;
  readonly #stage: Stage;
  readonly #view: TranscriptView;
  readonly #agentView: AgentView;
  readonly #editor: PromptEditor;
  readonly #history: PromptHistory;
  readonly #shell: ShellLine;
  readonly #panel: PanelRegion;
  readonly #controls: Controls;
  readonly #foreground: Foreground;
  readonly #commands: SlashCommands;
  readonly #dialogs: ExtensionDialogs;
  readonly #loadErrors: LoadErrors;
  readonly #warnings: WarningLines;
  readonly #themes: ThemeChoice;
  readonly #startup: Startup;
  readonly #prompts: Prompts;
  readonly #facts: Facts;
  readonly #desk: Desk;
  readonly #left = Promise.withResolvers<Leave>();
  #attached: Disposable | undefined;
  #watchMode: Disposable | undefined;

  constructor(options: InteractiveOptions) {
    this.#options = options;
    const { opening, agent, host, cwd, home, env } = options;
    const { look, settings, stage, view, editor } = opening;
    const fail = (text: string): void => this.#fail(text);
    this.#stage = stage;
    this.#view = view;
    this.#editor = editor;
    const { redraw } = stage;
    void stage.lost.then(() => this.#left.resolve("terminal_lost"));
    this.#facts = new Facts(agent, host, () => {
      opening.welcome.changed();
      redraw();
    });
    opening.welcome.tell(this.#facts);
    this.#agentView = new AgentView({ agent, view, head: opening.welcome, redraw });
    const { commands, outcomes } = host;
    const { during } = this.#agentView;
    this.#commands = new SlashCommands({ commands, outcomes, fail, during, done: () => this.#facts.changed() });
    this.#history = new PromptHistory(home, cwd);
    const remark = (text: string): void => agent.remark([{ type: "text", text }]);
    this.#shell = new ShellLine({ view, cwd, redraw, during, remark });
    this.#controls = new Controls({
      agent,
      notes: host.chrome.notes,
      stage,
      view,
      cancelOthers: () => {
        if (!this.#shell.cancel()) this.#commands.cancel();
      },
      env,
      prompts: () => this.#prompts,
      editor,
      foreground: () => this.#foreground,
      remember: (text) => this.#history.add(text),
      fail,
      leave: () => this.#left.resolve("exit"),
    });
    editor.serve(this.#controls);
    editor.setAutocompleteProvider(new Completion(() => this.#commands.list, new FileIndex(cwd)));
    this.#panel = new PanelRegion(look, host.panels);
    this.#foreground = new Foreground(editor, (component) => {
      this.#panel.setFocused(component === this.#panel);
      stage.focus(component);
    });
    const foreground = this.#foreground;
    const external = this.#controls.editExternally;
    this.#dialogs = new ExtensionDialogs({ look, tui: stage.tui, foreground, redraw, external });
    this.approver = new ApprovalDialogs({ look, foreground, cwd, redraw });
    const themes = new ThemeShelf(home, () => host.candidates);
    this.#themes = new ThemeChoice({ look, stage, themes, settings, fail });
    this.#loadErrors = new LoadErrors(host, view, home);
    this.#warnings = new WarningLines(view);
    const changed = (): void => {
      this.#loadErrors.update();
      this.#facts.changed();
    };
    this.#startup = new Startup({ agent, host, models: options.models, changed, noModel: this.#facts.noModel });
    this.#desk = this.#makeDesk(themes);
    this.#prompts = new Prompts({ ...this.#desk, commands: this.#commands, shell: this.#shell, editor });
    addCommands(this.#commands, this.#desk);
  }

  /** Starts what runs behind the screen, and takes the keys. */
  open(): void {
    const { opening, agent, host, cwd } = this.#options;
    const { look, settings } = opening;
    const { stage, view, agentView, panel, foreground } = this.#parts;
    const hasNoModel = (): boolean => this.#facts.hasNoModel;
    stage.show(layOut({ agent, host, cwd, look, stage, view, agentView, panel, foreground, hasNoModel }));
    for (const entry of this.#history.load()) this.#editor.addToHistory(entry);
    void view.markdown.load();
    this.#attached = host.attach(new ExtensionSurface(surfaceWishes({ ...this.#parts, settings })));
    this.#themes.start();
    for (const fault of settings.faults) this.#fail(fault);
    const started = this.#startup.run().then(() => {
      this.#loadErrors.show();
      this.#themes.extensionsCame();
      const project = projectExtensionsText(host);
      if (project !== undefined) this.#desk.say(project);
    });
    this.#watchSources(started);
    this.#begin();
    // Last: keys that have come already find everything in its place.
    stage.listen((data) => this.#controls.globalKey(data));
  }

  /** What the command line asks for: a conversation to choose, then a prompt. */
  #begin(): void {
    const { prompt, pickFrom } = this.#options;
    const enter = (): void => {
      if (prompt.trim() !== "") this.#prompts.enter(prompt);
    };
    if (pickFrom === undefined) {
      enter();
      return;
    }
    const resume = (): Promise<void> => resumeOneOf(this.#desk, pickFrom, this.#startup.modelOpened);
    void this.#commands.do("resume", resume).then(enter);
  }

  /** Resolves when the user wants to go, or the terminal has gone. */
  get left(): Promise<Leave> {
    return this.#left.promise;
  }

  /** Something that the user should know and that stops nothing. */
  warn(text: string): void {
    this.#warnings.say(text);
  }

  /** Resolves when what was typed is on disk. */
  saved(): Promise<void> {
    return this.#history.flush();
  }

  /** Gives the terminal back; the screen does not come again. */
  [Symbol.dispose](): void {
    this.#stage.down();
    this.#shell.cancel();
    this.#agentView[Symbol.dispose]();
    this.#attached?.[Symbol.dispose]();
    this.#watchMode?.[Symbol.dispose]();
  }

  get #parts() {
    return {
      stage: this.#stage,
      view: this.#view,
      agentView: this.#agentView,
      panel: this.#panel,
      foreground: this.#foreground,
      dialogs: this.#dialogs,
      prompts: this.#prompts,
      commands: this.#commands,
      editor: this.#editor,
    };
  }

  #makeDesk(themes: ThemeShelf): Desk {
    const { opening, agent, host, models, keepsModel, auth, sessions } = this.#options;
    const { look, settings } = opening;
    const { stage, view, foreground } = this.#parts;
    return {
      ...{ agent, host, models, keepsModel, auth, settings, sessions, look, themes, stage, view, foreground },
      themeChoice: this.#themes,
      dialogs: new UserDialogs(look, foreground, stage.redraw),
      loadErrors: this.#loadErrors,
      warnings: this.#warnings,
      say: (text) => view.text(text, "muted"),
      fail: (text) => this.#fail(text),
      busy: this.#agentView.during,
      command: (name) => this.#commands.run(name, ""),
      leave: () => this.#left.resolve("exit"),
    };
  }

  #watchSources(started: Promise<void>): void {
    const { watched: paths } = this.#options;
    if (paths.length === 0) return;
    const say = (text: string): void => {
      this.#desk.say(text);
      this.#facts.changed();
    };
    this.#watchMode = new WatchMode({ ...this.#desk, paths, started, say });
  }

  #fail(text: string): void {
    this.#view.text(text, "error", "✗ ");
  }
}
