import type { AuthFile } from "../llm/accounts/auth-file.ts";
import type { Models } from "../llm/accounts/models.ts";
import { listProviders } from "../llm/list.ts";
import type { LoginEnd, RpcAccount, RpcAccounts } from "../surfaces/rpc/accounts.ts";
import type { RunModels } from "./rpc-models.ts";

/** Keys in the auth file, for clients of rpc. */
export class RunAccounts implements RpcAccounts {
  readonly #auth: AuthFile;
  readonly #models: Models;
  readonly #usable: RunModels;

  /** @param usable knows which providers have a key, wherever it comes from */
  constructor(auth: AuthFile, models: Models, usable: RunModels) {
    this.#auth = auth;
    this.#models = models;
    this.#usable = usable;
  }

  async list(): Promise<readonly RpcAccount[]> {
    const withKey = new Set(await this.#usable.providers());
    return listProviders().map((id) => ({ id, name: id, available: true, authenticated: withKey.has(id) }));
  }

  async login(provider: string, key: string): Promise<LoginEnd> {
    const verdict = await this.#models.probe(provider, key);
    if (verdict.kind === "refused") return { kind: "refused", reason: verdict.reason };
    await this.#auth.save(provider, key);
    this.#usable.forget();
    return { kind: "saved" };
  }

  async logout(provider: string): Promise<boolean> {
    const removed = await this.#auth.remove(provider);
    this.#usable.forget();
    return removed;
  }
}
