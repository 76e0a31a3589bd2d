import { join } from "node:path";
import { isObject, type JsonObject, readJsonFile, writeJsonFile } from "./json-file.ts";

/** Providers with a member of their own (extension-host.md §8.6), by our ids; the others stand in `extra`. */
const MEMBER_OF: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic"],
  ["openai", "openai"],
  ["kimi-coding", "kimi"],
  ["google", "google"],
  ["deepseek", "deepseek"],
]);

/**
 * API keys in `<home>/auth.json`, mode 0600 (extension-host.md §8.6). What is in it besides keys (logins, commands) is kept as it is.
 */
export class AuthFile {
  readonly path: string;
  /** The last change; each begins with what the one before it left. */
  #changed: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    this.path = join(home, "auth.json");
  }

  /** Why nothing can be read or saved; undefined when all is well. */
  get fault(): string | undefined {
    const file = readJsonFile(this.path);
    return "fault" in file ? file.fault : undefined;
  }

  key(provider: string): string | undefined {
    const credential = this.#credential(this.#value(), provider);
    const key = isObject(credential) ? credential["api_key"] : undefined;
    return typeof key === "string" && key.trim() !== "" ? key.trim() : undefined;
  }

  /** Those of `providers` that have a key here. */
  withKey(providers: readonly string[]): string[] {
    return providers.filter((provider) => this.key(provider) !== undefined);
  }

  /** Rejects when the file cannot be read (it may hold what must not be lost) or written. */
  save(provider: string, key: string): Promise<void> {
    return this.#change(async () => {
      const old = this.#readable();
      const before = this.#credential(old, provider);
      await this.#put(old, provider, { ...(isObject(before) ? before : {}), api_key: key });
    });
  }

  /** False: there was none. */
  remove(provider: string): Promise<boolean> {
    return this.#change(async () => {
      const old = this.#readable();
      const before = this.#credential(old, provider);
      if (!isObject(before)) return false;
      const { api_key: key, ...rest } = before;
      if (key === undefined) return false;
      await this.#put(old, provider, Object.keys(rest).length === 0 ? undefined : rest);
      return true;
    });
  }

  /** One change after the other; one that fails is told to its own caller. */
  #change<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changed.then(change);
    // Told to whoever asked for the change; the next one starts all the same.
    this.#changed = changed.catch(() => undefined);
    return changed;
  }

  #value(): JsonObject {
    const file = readJsonFile(this.path);
    return "value" in file ? file.value : {};
  }

  #readable(): JsonObject {
    const file = readJsonFile(this.path);
    if ("fault" in file) throw new Error(`${file.fault}; put it right or remove it, then try again`);
    return file.value;
  }

  #credential(value: JsonObject, provider: string): unknown {
    const member = MEMBER_OF.get(provider);
    if (member !== undefined) return value[member];
    const { extra } = value;
    return isObject(extra) && Object.hasOwn(extra, provider) ? extra[provider] : undefined;
  }

  async #put(value: JsonObject, provider: string, credential: JsonObject | undefined): Promise<void> {
    const member = MEMBER_OF.get(provider);
    if (member !== undefined) {
      await writeJsonFile(this.path, without({ ...value, [member]: credential }));
      return;
    }
    const extra = isObject(value["extra"]) ? value["extra"] : {};
    await writeJsonFile(this.path, { ...value, extra: without({ ...extra, [provider]: credential }) });
  }
}

function without(value: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
