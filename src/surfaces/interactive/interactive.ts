import { matchesKey } from "@earendil-works/pi-tui";
import type { Agent } from "../../agent/agent.ts";
import type { Approver } from "../../agent/approval.ts";
import type { AgentEvent } from "../../agent/events.ts";
import type { SessionStore } from "../../agent/session/store.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { AuthFile } from "./accounts/auth-file.ts";
import type { Models } from "./accounts/models.ts";
import { AgentActivity } from "./activity.ts";
import { addCommands } from "./commands/all-commands.ts";
import { SlashCommands } from "./commands/slash-commands.ts";
import { ApprovalDialogs } from "./dialogs/approval-dialog.ts";
import { ExtensionDialogs } from "./dialogs/extension-dialogs.ts";
import { UserDialogs } from "./dialogs/user-dialogs.ts";
import { Completion } from "./editor/completion.ts";
import { editExternally } from "./editor/external-editor.ts";
import { FileIndex } from "./editor/file-index.ts";
import { PromptHistory } from "./editor/history.ts";
import { PromptEditor } from "./editor/prompt-editor.ts";
import { QueueRegion } from "./editor/queue-region.ts";
import { ShellLine } from "./editor/shell-line.ts";
import { ExtensionSurface } from "./extensions/extension-surface.ts";
import { LoadErrors } from "./extensions/load-errors.ts";
import { NotesRegion } from "./extensions/notes-region.ts";
import { PanelRegion } from "./extensions/panel-region.ts";
import { StatusesRegion } from "./extensions/statuses-region.ts";
import { WidgetsRegion } from "./extensions/widgets-region.ts";
import { Prompts } from "./prompts.ts";
import { ACTIVITY_TICK_MS, ActivityLine } from "./screen/activity-line.ts";
import { EditorPlace } from "./screen/editor-place.ts";
import { Foreground } from "./screen/foreground.ts";
import { Shell } from "./screen/shell.ts";
import { Stage } from "./screen/stage.ts";
import { StatusLine } from "./screen/status-line.ts";
import type { Settings } from "./settings/settings.ts";
import { Startup } from "./startup.ts";
import { extensionNames, statusPieces } from "./status-pieces.ts";
import type { Look } from "./theme/look.ts";
import { ThemeChoice } from "./theme/theme-choice.ts";
import { ThemeShelf } from "./theme/theme-shelf.ts";
import { Conversation } from "./transcript/conversation.ts";
import { replay } from "./transcript/replay.ts";
import { TranscriptView } from "./transcript/transcript.ts";
import { WelcomeBlock } from "./transcript/welcome-block.ts";

export interface InteractiveOptions {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: Models;
  readonly auth: AuthFile;
  readonly settings: Settings;
  readonly sessions: SessionStore;
  readonly look: Look;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Where zot keeps its files, absolute. */
  readonly home: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What was typed on the command line; said as soon as it can be. */
  readonly prompt: string;
  /** `--resume` without an id: the first thing to do is to choose a session. */
  readonly pickSession: boolean;
}

/** Why the screen was left. */
export type Leave = "exit" | "terminal_lost";

const TWICE_MS = 2_000;

/** The screen: puts its parts together and decides what a key means that belongs to none of them. */
export class Interactive implements Disposable {
  readonly approver: Approver;
  readonly #options: InteractiveOptions;
  readonly #stage: Stage;
  readonly #view: TranscriptView;
  readonly #welcome: WelcomeBlock;
  readonly #editor: PromptEditor;
  readonly #history: PromptHistory;
  readonly #shell: ShellLine;
  readonly #panel: PanelRegion;
  readonly #foreground: Foreground;
  readonly #commands: SlashCommands;
  readonly #dialogs: ExtensionDialogs;
  readonly #loadErrors: LoadErrors;
  readonly #themes: ThemeChoice;
  readonly #conversation: Conversation;
  readonly #activity = new AgentActivity();
  readonly #startup: Startup;
  readonly #prompts: Prompts;
  readonly #left = Promise.withResolvers<Leave>();
  readonly #cleanup = new DisposableStack();
  #contextTokens = 0;
  #noModel = "";
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #ticker: NodeJS.Timeout | undefined;

  constructor(options: InteractiveOptions) {
    this.#options = options;
    const { agent, host, look, cwd, home, settings, models, env } = options;
    this.#stage = new Stage({
      look,
      mouse: settings.get("mouse") ?? true,
      onLost: () => this.#left.resolve("terminal_lost"),
      onKey: (data) => this.#globalKey(data),
    });
    const { redraw } = this.#stage;
    this.#view = new TranscriptView(look, redraw);
    this.#welcome = new WelcomeBlock(look, {
      version: options.version,
      cwd,
      model: () => this.#modelText(),
      extensions: () => extensionNames(host),
      advice: () => this.#noModel,
    });
    this.#view.add(this.#welcome);
    this.#conversation = new Conversation(this.#view, redraw);
    this.#loadErrors = new LoadErrors(host, this.#view);
    const { commands, outcomes } = host;
    this.#commands = new SlashCommands(
      commands,
      outcomes,
      (text) => this.#fail(text),
      () => this.#factsChanged(),
    );
    this.#history = new PromptHistory(home, cwd);
    this.#shell = new ShellLine({
      view: this.#view,
      cwd,
      redraw,
      remark: (text) => agent.remark([{ type: "text", text }]),
    });
    this.#editor = new PromptEditor(this.#stage.tui, look, {
      submit: (text, isLiteral) => this.#enter(text, isLiteral),
      escape: () => this.#escape(),
      interrupt: () => this.#interrupt(),
      endOfInput: () => this.#leave(),
      takeBack: () => this.#takeBack(),
    });
    this.#editor.setAutocompleteProvider(new Completion(() => this.#commands.list, new FileIndex(cwd)));
    this.#panel = new PanelRegion(look, host.panels);
    this.#foreground = new Foreground(this.#editor, (component) => {
      this.#panel.setFocused(component === this.#panel);
      this.#stage.focus(component);
    });
    const { foreground, stage } = { foreground: this.#foreground, stage: this.#stage };
    const external = (text: string): Promise<string> => this.#editExternally(text, env);
    this.#dialogs = new ExtensionDialogs({ look, tui: stage.tui, foreground, redraw, external });
    this.approver = new ApprovalDialogs({ look, foreground, cwd, redraw });
    const themes = new ThemeShelf(home, () => host.candidates);
    this.#themes = new ThemeChoice({ look, stage, themes, settings, fail: (text) => this.#fail(text) });
    this.#startup = new Startup({
      agent,
      host,
      models,
      changed: () => this.#factsChanged(),
      noModel: (reason) => {
        this.#noModel = reason;
      },
    });
    this.#prompts = new Prompts({
      agent,
      commands: this.#commands,
      ready: this.#startup.ready,
      shell: (line) => void this.#shell.run(line),
      movedOn: () => this.#movedOn(),
      waiting: (text) => this.#wait(text),
      failed: (text) => this.#fail(text),
      unknownCommand: (name, text) => this.#unknownCommand(name, text),
    });
    const { auth } = options;
    addCommands(
      this.#commands,
      {
        agent,
        host,
        models,
        auth,
        settings,
        sessions: options.sessions,
        themes,
        look,
        stage,
        view: this.#view,
        foreground,
        dialogs: new UserDialogs(look, foreground, redraw),
        say: (text) => this.#view.text(text, "muted"),
        fail: (text) => this.#fail(text),
        busy: (text) => this.#wait(text),
        leave: () => this.#leave(),
      },
      this.#loadErrors,
    );
  }

  /** Takes the terminal and draws the first frame before it returns; everything else comes behind it. */
  open(): void {
    const { agent, host, settings, prompt, pickSession } = this.#options;
    if (agent.session.messages.length > 0) replay(agent.session, this.#view);
    this.#stage.up(this.#layout());
    this.#stage.focus(this.#editor);
    this.#cleanup.use(agent.listen((event) => this.#take(event)));
    this.#cleanup.use(host.attach(this.#extensionSurface()));
    this.#themes.start();
    for (const fault of settings.faults) this.#fail(fault);
    void this.#history.load().then((entries) => {
      for (const entry of entries) this.#editor.addToHistory(entry);
    });
    // Not behind the slowest extension: one that comes late is caught up.
    void this.#startup.ready.then(() => {
      agent.announce("session_start");
      agent.announce("session_opened");
    });
    void this.#startup.run().then(() => {
      this.#loadErrors.show();
      this.#themes.extensionsCame();
    });
    if (pickSession) void this.#commands.run("resume", "");
    if (prompt.trim() !== "") this.#prompts.enter(prompt, false);
  }

  /** Resolves when the user wants to go, or the terminal has gone. */
  get left(): Promise<Leave> {
    return this.#left.promise;
  }

  /** Something that the user should know and that stops nothing. */
  warn(text: string): void {
    this.#view.text(text, "warn", "! ");
  }

  /** Gives the terminal back; the screen does not come again. */
  [Symbol.dispose](): void {
    this.#stage.down();
    this.#shell.cancel();
    clearInterval(this.#ticker);
    this.#cleanup.dispose();
  }

  #layout(): Shell {
    const { agent, host, look, cwd } = this.#options;
    return new Shell(this.#stage.terminal, {
      transcript: this.#view.scroll,
      regions: [
        { region: new ActivityLine(look, () => this.#activity.current), rank: 3 },
        { region: new NotesRegion(look, () => host.chrome.notes.list), rank: 5 },
        { region: this.#panel, rank: 2 },
        { region: new WidgetsRegion(look, () => host.chrome.widgets.list), rank: 7 },
        { region: new StatusesRegion(look, () => host.chrome.statuses.list), rank: 6 },
        { region: new QueueRegion(look, () => agent.queue.waiting), rank: 4 },
        { region: new EditorPlace(() => this.#foreground.inEditorPlace), rank: 0 },
        { region: new StatusLine(look, () => statusPieces(agent, host, cwd, this.#contextTokens)), rank: 1 },
      ],
    });
  }

  #extensionSurface(): ExtensionSurface {
    const { redraw, terminal } = this.#stage;
    return new ExtensionSurface({
      redraw,
      bell: () => {
        if (this.#options.settings.get("terminal_alerts_enabled") ?? true) this.#stage.bell();
      },
      panelOpened: () => {
        this.#panel.opened();
        this.#foreground.openPanel(this.#panel);
        redraw();
      },
      panelClosed: () => {
        this.#foreground.close(this.#panel);
        redraw();
      },
      ask: (dialog, signal) => this.#dialogs.ask(dialog, signal),
      link: ({ extension, url, launchUrl, instructions }) => {
        const words = instructions === "" ? "asks you to visit" : instructions;
        this.#view.text(`[${extension}] ${words}\n${launchUrl ?? url}`, "accent");
      },
      prompt: (text) => void this.#prompts.prompt(text),
      slash: (name, args) => void this.#commands.run(name, args),
      insert: (text) => {
        this.#editor.insertTextAtCursor(text);
        redraw();
      },
      setEditorText: (text) => {
        this.#editor.setText(text);
        redraw();
      },
      setTitle: (title) => terminal.setTitle(title),
    });
  }

  #modelText(): string | undefined {
    const { model } = this.#options.agent;
    if (model.provider !== "none") return `${model.provider}/${model.id}`;
    return this.#noModel === "" ? undefined : "none";
  }

  /** The model, or which extensions there are. */
  #factsChanged(): void {
    if (this.#options.agent.model.provider !== "none") this.#noModel = "";
    this.#welcome.changed();
    this.#stage.redraw();
  }

  #fail(text: string): void {
    this.#view.text(text, "error", "✗ ");
  }

  #leave(): void {
    this.#left.resolve("exit");
  }

  #enter(text: string, isLiteral: boolean): void {
    this.#editor.addToHistory(text);
    this.#history.add(text);
    this.#prompts.enter(text, isLiteral);
  }

  #take(event: AgentEvent): void {
    if (event.type === "session_changed") this.#showSession();
    this.#conversation.take(event);
    this.#activity.take(event);
    if (event.type === "usage") {
      const { input, cacheRead, cacheWrite, output } = event.usage;
      this.#contextTokens = input + cacheRead + cacheWrite + output;
    }
    this.#tick();
    this.#stage.redraw();
  }

  /** Another conversation is open, or this one was emptied. */
  #showSession(): void {
    this.#view.clear();
    this.#view.add(this.#welcome);
    this.#conversation.forget();
    this.#contextTokens = 0;
    replay(this.#options.agent.session, this.#view);
    this.#view.toEnd();
  }

  /** Clocks and the spinner move only while there is something to wait for. */
  #tick(): void {
    if (this.#activity.current === undefined) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
      return;
    }
    this.#ticker ??= setInterval(() => {
      for (const card of this.#conversation.running) card.changed();
      this.#stage.redraw();
    }, ACTIVITY_TICK_MS);
  }

  #wait(text: string | undefined): void {
    this.#activity.set(text);
    this.#tick();
    this.#stage.redraw();
  }

  #globalKey(data: string): boolean {
    if (this.#foreground.swallows(data)) return true;
    if (matchesKey(data, "ctrl+z")) this.#stage.suspend();
    else if (matchesKey(data, "ctrl+o")) this.#view.toggleFolds();
    else if (matchesKey(data, "ctrl+g") && this.#foreground.isEditorOnTop) void this.#editPrompt();
    else return false;
    return true;
  }

  async #editPrompt(): Promise<void> {
    this.#editor.setText(await this.#editExternally(this.#editor.getExpandedText(), this.#options.env));
    this.#stage.redraw();
  }

  /** The text as the user left it; the old one when that did not work. */
  async #editExternally(text: string, env: InteractiveOptions["env"]): Promise<string> {
    const edited = await this.#stage.lend(() => editExternally(text, env));
    if ("text" in edited) return edited.text;
    this.#fail(edited.fault);
    return text;
  }

  /** Notes first, then the turn (extension-host.md §5.4). */
  #escape(): void {
    const { agent, host } = this.#options;
    if (host.chrome.notes.list.length > 0) host.chrome.notes.dismiss();
    else if (agent.busy) void this.#cancel();
    else this.#shell.cancel();
    this.#stage.redraw();
  }

  async #cancel(): Promise<void> {
    await this.#options.agent.abort();
    this.#view.text("cancelled", "muted");
    // What waited behind the turn was written for it: the user decides what becomes of it.
    const waiting: string[] = [];
    for (let text = this.#prompts.takeBackLast(); text !== undefined; text = this.#prompts.takeBackLast()) {
      waiting.unshift(text);
    }
    if (waiting.length > 0) this.#editor.setText([...waiting, this.#editor.getExpandedText()].join("\n").trimEnd());
    this.#stage.redraw();
  }

  #interrupt(): void {
    const { agent } = this.#options;
    const now = performance.now();
    if (now - this.#interruptedAt < TWICE_MS) {
      this.#leave();
      return;
    }
    this.#interruptedAt = now;
    if (agent.busy) void this.#cancel();
    else this.#shell.cancel();
    this.#stage.tui.flash("ctrl+c once more leaves", TWICE_MS);
  }

  #takeBack(): boolean {
    const text = this.#prompts.takeBackLast();
    if (text === undefined) return false;
    this.#editor.setText(text);
    return true;
  }

  #movedOn(): void {
    this.#options.host.chrome.notes.dismiss();
    this.#view.toEnd();
  }

  #unknownCommand(name: string, text: string): void {
    this.#fail(`there is no command /${name}; /help lists what there is`);
    this.#editor.setText(text);
  }
}
