import type { Agent } from "../../agent/agent.ts";
import type { ExtensionHost } from "../../host/host.ts";
import { LlmError } from "../../llm/error.ts";
import { READY_DEADLINE_MS } from "../../wire/limits.ts";
import type { Models } from "./accounts/models.ts";

/** What happens behind the first frame. */
export interface StartupParts {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: Models;
  /** Something became known that the screen shows. */
  changed(): void;
  /** Why there is no model. */
  noModel(reason: string): void;
}

/** How often the screen looks at extensions that are still starting. */
const LOOK_MS = 100;

/** Opens the model, then starts the extensions (which are told which model it is), while the screen is up already. */
export class Startup {
  readonly #parts: StartupParts;
  readonly #ready = Promise.withResolvers<void>();

  constructor(parts: StartupParts) {
    this.#parts = parts;
  }

  /** Resolves when extensions can take part, or have had their time (extension-host.md §2.5). */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when everything is up or has failed. */
  async run(): Promise<void> {
    await this.#openModel();
    const { host, changed } = this.#parts;
    const looking = setInterval(changed, LOOK_MS);
    const timer = setTimeout(this.#ready.resolve, READY_DEADLINE_MS);
    try {
      await host.start();
      await host.whenReady();
    } finally {
      clearInterval(looking);
      clearTimeout(timer);
      this.#ready.resolve();
      changed();
    }
  }

  async #openModel(): Promise<void> {
    const { agent, models, changed, noModel } = this.#parts;
    try {
      agent.setModel(await models.first());
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      noModel(error.message);
    }
    changed();
  }
}
