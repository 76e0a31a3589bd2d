import { Attachment } from "./attachment.ts";
import { IdSource } from "./connection/ids.ts";
import { systemTimers, type Timers } from "./connection/timers.ts";
import type { Attention } from "./contributions/attention.ts";
import type { Chrome } from "./contributions/chrome.ts";
import type { Commands } from "./contributions/commands.ts";
import { Contributions } from "./contributions/contributions.ts";
import type { Dialogs } from "./contributions/dialogs.ts";
import type { Events } from "./contributions/events.ts";
import type { Intercepts } from "./contributions/intercepts.ts";
import type { Outcomes } from "./contributions/outcomes.ts";
import type { Panels } from "./contributions/panels.ts";
import type { Registry, ReservedNames } from "./contributions/registry.ts";
import type { SessionEvents } from "./contributions/session-events.ts";
import type { Tools } from "./contributions/tools.ts";
import type { Uris } from "./contributions/uris.ts";
import type { Extension } from "./extension.ts";
import { Fleet, type LoadError, type ReloadReport } from "./fleet.ts";
import { frameTable } from "./frame-table.ts";
import type { Candidate, DiscoveryOptions } from "./launch/discovery.ts";
import type { BundledSkill } from "./launch/skills.ts";
import { type Owner, ownerOf } from "./owner.ts";
import type { AttachedSurface } from "./ports.ts";

export type { LoadError, ReloadReport };

export interface HostOptions extends DiscoveryOptions {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** argv prefix that runs a source file in this executable. */
  readonly sourceRunner: readonly [string, ...string[]];
  readonly reserved: ReservedNames;
  /** ms; absent: as long as the protocol allows (extension-host.md §2.3). */
  readonly helloDeadlineCapMs?: number;
  /** What the deadlines of hello and of calls are measured by; absent: the system's clock. */
  readonly timers?: Timers;
  /** Absent: it comes later, by `attach`. */
  readonly surface?: AttachedSurface;
  model(): { readonly provider: string; readonly model: string };
}

/** The facade that the agent and the surfaces use. Wires the wings; every rule lives in one of them. */
export class ExtensionHost implements AsyncDisposable {
  readonly commands: Commands;
  readonly tools: Tools;
  readonly events: Events;
  /** Which conversation is open. */
  readonly sessions: SessionEvents;
  readonly intercepts: Intercepts;
  readonly registry: Registry;
  /** Notes, statuses, widgets and alerts. */
  readonly chrome: Chrome;
  readonly panels: Panels;
  readonly dialogs: Dialogs;
  readonly uris: Uris;
  /** Does what a command wants done, on the attached surface. */
  readonly outcomes: Outcomes;
  /** Which extensions wait for a human. */
  readonly attention: Attention;
  readonly #attachment = new Attachment();
  readonly #fleet: Fleet;

  constructor(options: HostOptions) {
    const { reserved, home, cwd, version, env, sourceRunner, helloDeadlineCapMs } = options;
    const contributions = new Contributions(reserved, this.#attachment);
    this.commands = contributions.commands;
    this.tools = contributions.tools;
    this.events = contributions.events;
    this.sessions = contributions.sessions;
    this.intercepts = contributions.intercepts;
    this.registry = contributions.registry;
    this.chrome = contributions.chrome;
    this.panels = contributions.panels;
    this.dialogs = contributions.dialogs;
    this.uris = contributions.uris;
    this.outcomes = contributions.outcomes;
    this.attention = contributions.attention;
    this.#fleet = new Fleet(options, {
      home,
      cwd,
      version,
      env,
      sourceRunner,
      helloDeadlineCapMs: helloDeadlineCapMs ?? Number.POSITIVE_INFINITY,
      ids: new IdSource(),
      timers: options.timers ?? systemTimers,
      model: () => options.model(),
      frames: (extension) => frameTable(extension, contributions),
      session: () => contributions.sessions.open?.context(),
      ready: (extension) => contributions.sessions.replay(extension),
      leaving: (extension) => contributions.leaving(extension),
      gone: (extension) => contributions.gone(extension),
      crashed: (extension, exit) => contributions.crashed(extension, exit),
    });
    if (options.surface !== undefined) this.attach(options.surface);
  }

  /**
   * Shows everything on `surface` from now on, beginning with what is there already. One at a time: it takes the place
   * of the one before. Dispose the result to detach it.
   */
  attach(surface: AttachedSurface): Disposable {
    return this.#attachment.attach(surface);
  }

  /** Every place that was looked at, in load order, with what became of it. */
  get candidates(): readonly Candidate[] {
    return this.#fleet.candidates;
  }

  /** Those that were started, in load order. */
  get extensions(): readonly Extension[] {
    return this.#fleet.extensions;
  }

  /** Skills that extensions ship, in the order of the extensions' names; the first of a name counts (§1.4). */
  get skills(): readonly (BundledSkill & Owner)[] {
    const sorted = [...this.extensions].sort((a, b) => (a.name < b.name ? -1 : 1));
    const shipped = sorted.flatMap((owner) => owner.skills.map((skill) => ({ ...skill, ...ownerOf(owner) })));
    return shipped.filter((skill, index) => shipped.findIndex(({ name }) => name === skill.name) === index);
  }

  get loadErrors(): readonly LoadError[] {
    return this.#fleet.errors;
  }

  /** Discovers, decides, spawns the winners side by side; resolves when each has shaken hands or failed. Never rejects for one of them. */
  start(): Promise<void> {
    return this.#fleet.start();
  }

  /** Resolves when every extension is ready, gone, or out of time (§2.5). */
  whenReady(): Promise<void> {
    return this.#fleet.whenReady();
  }

  /** Replaces all extensions by what is on disk now (§7.1). End a running turn first. */
  reload(): Promise<ReloadReport> {
    return this.#fleet.reload();
  }

  /** Stops all of them side by side (§7.2), also during a reload; nothing is left when it resolves. */
  stop(graceMs: number): Promise<void> {
    return this.#fleet.stop(graceMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(0);
  }
}
