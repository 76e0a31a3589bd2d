import type { Agent } from "../../agent/agent.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { Models } from "../../llm/accounts/models.ts";
import { LlmError } from "../../llm/error.ts";
import { READY_DEADLINE_MS } from "../../wire/limits.ts";

/** What happens behind the first frame. */
export interface StartupParts {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: Models;
  /** Something became known that the screen shows; also told while extensions start. */
  changed(): void;
  /** What to tell and advise when there is no model. */
  noModel(advice: string): void;
}

const WAYS_OUT = "/login saves an API key, /model offline/offline tries zot without one";
const NO_KEY = `No model yet: ${WAYS_OUT}. ANTHROPIC_API_KEY and OPENAI_API_KEY work too.`;

/** How often the screen looks at extensions that are still starting. */
const LOOK_MS = 100;

/** Opens the model, then starts the extensions (which are told which model it is), while the screen is up already. */
export class Startup {
  readonly #parts: StartupParts;
  readonly #ready = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();

  constructor(parts: StartupParts) {
    this.#parts = parts;
  }

  /** Resolves when the model is there, or is known not to be. */
  get modelOpened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Resolves when everything is up or has failed. Prompts wait until extensions can take part or have had their time, not for
   * the slowest of them: one that comes late is caught up (extension-host.md §2.5).
   */
  async run(): Promise<void> {
    const { agent } = this.#parts;
    const held = agent.hold();
    void this.#ready.promise.then(() => {
      agent.announce("session_start");
      agent.announce("session_opened");
      held[Symbol.dispose]();
    });
    await this.#openModel().finally(this.#opened.resolve);
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

  /** Somebody asked for a certain model, and should hear why that one is not there. */
  get #isNamed(): boolean {
    return this.#parts.models.isNamed;
  }

  async #openModel(): Promise<void> {
    const { agent, models, changed, noModel } = this.#parts;
    try {
      agent.setModel(await models.first());
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      noModel(error.code === "auth" && !this.#isNamed ? NO_KEY : `${error.message}\n${WAYS_OUT}`);
    }
    changed();
  }
}
