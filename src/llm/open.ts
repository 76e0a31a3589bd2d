import { chooseModel, OFFLINE } from "./choose.ts";
import { LlmError } from "./error.ts";
import type { Model, ModelChoice } from "./port.ts";

export interface OpenModelOptions {
  /** ms of silence after which a connection counts as dead; five minutes when left out. */
  readonly idleTimeoutMs?: number;
}

/**
 * Opens the model that the user asked for. Sends nothing yet. Loads only what that provider needs: the rehearsal model and
 * the start of a run cost no model library.
 * Throws `LlmError` "usage" (unknown provider or model, unusable address) or "auth" (no key); the text says what to do.
 */
export async function openModel(choice: ModelChoice, options: OpenModelOptions = {}): Promise<Model> {
  const chosen = chooseModel(choice);
  if (chosen.provider !== OFFLINE) {
    const { openService } = await import("./pi/open-service.ts");
    return await openService(chosen, choice, options);
  }
  if (chosen.model !== undefined && chosen.model !== OFFLINE && chosen.model !== `${OFFLINE}/${OFFLINE}`) {
    throw new LlmError("usage", `the offline provider has one model, "${OFFLINE}"; leave out --model ${chosen.model}`);
  }
  const { OfflineModel } = await import("./offline/offline-model.ts");
  return new OfflineModel();
}
