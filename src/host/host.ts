import { READY_DEADLINE_MS } from "../wire/limits.ts";
import { IdSource } from "./connection/ids.ts";
import { Commands } from "./contributions/commands.ts";
import { Events } from "./contributions/events.ts";
import { Intercepts } from "./contributions/intercepts.ts";
import { Notes } from "./contributions/notes.ts";
import { Registry, type ReservedNames } from "./contributions/registry.ts";
import { Subscriptions } from "./contributions/subscriptions.ts";
import { Tools } from "./contributions/tools.ts";
import { HostError } from "./error.ts";
import { Extension, type ExtensionWorld } from "./extension.ts";
import { frameTable } from "./frame-table.ts";
import { type Candidate, type DiscoveryOptions, discover } from "./launch/discovery.ts";
import type { Manifest } from "./launch/manifest.ts";
import type { Surface } from "./ports.ts";

export interface HostOptions extends DiscoveryOptions {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** argv prefix that runs a source file in this executable. */
  readonly sourceRunner: readonly [string, ...string[]];
  readonly reserved: ReservedNames;
  /** ms; absent: as long as the protocol allows (extension-host.md §2.3). */
  readonly helloDeadlineCapMs?: number;
  readonly surface: Surface;
  model(): { readonly provider: string; readonly model: string };
}

/** An extension that did not load; `<dir>: <text>` is what the user reads (extension-host.md §1.1). */
export interface LoadError {
  readonly candidate: Candidate;
  readonly text: string;
}

/** The facade that the agent and the surfaces use. Wires the wings; every rule lives in one of them. */
export class ExtensionHost implements AsyncDisposable {
  readonly commands: Commands;
  readonly tools: Tools;
  readonly events: Events;
  readonly intercepts: Intercepts;
  readonly registry: Registry;
  readonly #options: HostOptions;
  readonly #subscriptions = new Subscriptions();
  readonly #notes: Notes;
  readonly #ids = new IdSource();
  readonly #loadErrors: LoadError[] = [];
  #candidates: readonly Candidate[] = [];
  #extensions: readonly Extension[] = [];
  #generation = 0;
  #stopping: Promise<void> | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.registry = new Registry(options.reserved);
    this.#notes = new Notes(options.surface);
    this.commands = new Commands(this.registry);
    this.tools = new Tools(this.registry, options.surface);
    this.events = new Events(this.#subscriptions);
    this.intercepts = new Intercepts(this.#subscriptions, this.#notes);
  }

  /** Every place that was looked at, in load order, with what became of it. */
  get candidates(): readonly Candidate[] {
    return this.#candidates;
  }

  /** Those that were started, in load order. */
  get extensions(): readonly Extension[] {
    return this.#extensions;
  }

  get loadErrors(): readonly LoadError[] {
    return [...this.#loadErrors].sort((a, b) => a.candidate.loadIndex - b.candidate.loadIndex);
  }

  /** Discovers, decides, spawns the winners side by side; resolves when each has shaken hands or failed. Never rejects for one of them. */
  async start(): Promise<void> {
    this.#candidates = discover(this.#options);
    const winners: Extension[] = [];
    for (const candidate of this.#candidates) {
      const { manifest, verdict } = candidate;
      if (verdict.kind === "error") this.#loadErrors.push({ candidate, text: verdict.error.message });
      if (verdict.kind === "winner" && manifest !== undefined) winners.push(this.#create({ ...candidate, manifest }));
    }
    this.#extensions = winners;
    await Promise.all(winners.map((extension) => this.#load(extension)));
  }

  /** Resolves when every extension is ready, gone, or out of time (§2.5); the deadline is each one's own (defect 10). */
  async whenReady(): Promise<void> {
    await Promise.all(this.#extensions.map((extension) => extension.waitReady(READY_DEADLINE_MS)));
  }

  /** Stops all of them side by side (§7.2); nothing is left when it resolves. Calling it again waits for the first call. */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= Promise.all(this.#extensions.map((extension) => extension.stop(graceMs))).then(() => undefined);
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(0);
  }

  #create(candidate: Candidate & { readonly manifest: Manifest }): Extension {
    this.#generation += 1;
    return new Extension(candidate, this.#generation, this.#world);
  }

  async #load(extension: Extension): Promise<void> {
    // 20 spawns in one synchronous run stall the event loop for 50 ms; one a turn costs nothing (bun.md §2).
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#stopping !== undefined) return;
    try {
      await extension.start();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const candidate = this.#candidates[extension.loadIndex];
      if (candidate !== undefined) this.#loadErrors.push({ candidate, text: error.message });
    }
  }

  get #world(): ExtensionWorld {
    const { home, cwd, version, env, sourceRunner, model } = this.#options;
    const contributions = { registry: this.registry, subscriptions: this.#subscriptions, notes: this.#notes };
    return {
      home,
      cwd,
      version,
      env,
      sourceRunner,
      model,
      helloDeadlineCapMs: this.#options.helloDeadlineCapMs ?? Number.POSITIVE_INFINITY,
      ids: this.#ids,
      frames: (extension) => frameTable(extension, contributions),
      gone: (extension, exit) => this.#gone(extension, exit),
    };
  }

  #gone(extension: Extension, exit: string | undefined): void {
    this.registry.remove(extension);
    this.#subscriptions.remove(extension);
    if (exit !== undefined) this.#notes.report(extension, "error", `exited (${exit}); its commands and tools are gone`);
  }
}
