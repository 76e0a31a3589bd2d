import { LlmError } from "../../llm/error.ts";
import type { Model, ModelEvent } from "../../llm/port.ts";

const NONE_YET = "there is no model yet: /login saves a key, /model chooses one, and the offline model needs neither";

/** Stands in until there is a model to talk to, so that the screen opens all the same and explains itself. */
export class NoModel implements Model {
  readonly provider = "none";
  readonly id = "none";
  readonly contextWindow = 0;
  readonly maxOutput = 0;
  readonly reasons = false;

  // biome-ignore lint/correctness/useYield: it has nothing to give but its error
  async *stream(): AsyncGenerator<ModelEvent> {
    throw new LlmError("auth", NONE_YET);
  }
}
