/** A provider, as a client sees it before it logs in. */
export interface RpcAccount {
  readonly id: string;
  readonly name: string;
  /** It can be logged in to from here: a key can be typed. */
  readonly available: boolean;
  /** There is a key for it. */
  readonly authenticated: boolean;
}

/** What became of a key. */
export type LoginEnd = { readonly kind: "saved" } | { readonly kind: "refused"; readonly reason: string };

/** Keys for providers, saved for later runs. */
export interface RpcAccounts {
  list(): Promise<readonly RpcAccount[]>;
  /** Tries the key and saves it. Throws when it cannot be saved. */
  login(provider: string, key: string): Promise<LoginEnd>;
  /** False: there was none that could be forgotten. */
  logout(provider: string): Promise<boolean>;
}
