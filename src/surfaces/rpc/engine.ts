import type { Agent } from "../../agent/agent.ts";
import type { SessionStore } from "../../agent/session/store.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { ListedModel } from "../../llm/list.ts";
import type { Model } from "../../llm/port.ts";
import type { RpcAccounts } from "./accounts.ts";

/** Models that a client can change to. */
export interface RpcModels {
  /** Throws `LlmError` for a model that does not exist or that there is no key for. */
  open(provider: string, id: string): Promise<Model>;
  /** What can be used now: providers that have a key. */
  list(): Promise<readonly ListedModel[]>;
}

/** What a dialect speaks for. There is one engine; a dialect only translates. */
export interface RpcEngine {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: RpcModels;
  readonly accounts: RpcAccounts;
  readonly sessions: SessionStore;
  /** False with `--no-session`. */
  readonly savesSessions: boolean;
  /** Of zot. */
  readonly version: string;
  /** Absolute project directory. */
  readonly cwd: string;
  /** The complete system prompt before extensions see it. */
  systemPrompt(): string;
}
