import type { Agent } from "../../agent/agent.ts";
import type { ExtensionHost } from "../../host/host.ts";
import { extensionNames } from "./status-pieces.ts";
import type { WelcomeFacts } from "./transcript/welcome-block.ts";

/** What the screen tells about the model and the extensions as it becomes known. */
export class Facts implements WelcomeFacts {
  readonly #agent: Agent;
  readonly #host: ExtensionHost;
  readonly #onChange: () => void;
  /** What to do without a model; "" while there is one, or while one is being opened. */
  #advice = "";

  constructor(agent: Agent, host: ExtensionHost, onChange: () => void) {
    this.#agent = agent;
    this.#host = host;
    this.#onChange = onChange;
  }

  /** False also while a model is still being opened. */
  get hasNoModel(): boolean {
    return this.#advice !== "";
  }

  readonly model = (): string | undefined => {
    const { provider, id } = this.#agent.model;
    if (provider !== "none") return `${provider}/${id}`;
    return this.hasNoModel ? "none" : undefined;
  };

  readonly extensions = (): string => extensionNames(this.#host);

  readonly advice = (): string => this.#advice;

  readonly noModel = (advice: string): void => {
    this.#advice = advice;
  };

  /** The model, or which extensions there are, may have changed. */
  readonly changed = (): void => {
    if (this.#agent.model.provider !== "none") this.#advice = "";
    this.#onChange();
  };
}
