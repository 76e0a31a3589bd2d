import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writeJsonFile } from "../../../llm/accounts/json-file.ts";
import { REASONING_LEVELS } from "../../../llm/port.ts";

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** The members of `config.json` that the screen knows (extension-host.md §8.6); all are optional, others are kept. */
const MEMBERS = {
  provider: text,
  model: text,
  reasoning: v.picklist(REASONING_LEVELS),
  /** `auto` follows the terminal's background. */
  theme: text,
  terminal_alerts_enabled: v.boolean(),
  mouse: v.boolean(),
} as const;

export type SettingName = keyof typeof MEMBERS;
export type SettingValue<N extends SettingName> = v.InferOutput<(typeof MEMBERS)[N]>;

/** `<home>/config.json`. What is wrong in it is left out and named in `faults`; saving changes one member and keeps the rest. */
export class Settings {
  readonly path: string;
  readonly faults: readonly string[];
  readonly #values: Map<string, unknown>;
  readonly #isReadable: boolean;

  constructor(home: string) {
    this.path = join(home, "config.json");
    const file = readJsonFile(this.path);
    this.#isReadable = "value" in file;
    this.#values = new Map(Object.entries("value" in file ? file.value : {}));
    const faults = "fault" in file ? [file.fault] : [];
    for (const [name, schema] of Object.entries(MEMBERS)) {
      if (!this.#values.has(name)) continue;
      const result = v.safeParse(schema, this.#values.get(name));
      if (!result.success) faults.push(`${this.path}: ${name}: ${result.issues[0].message}`);
    }
    this.faults = faults;
  }

  get<N extends SettingName>(name: N): SettingValue<N> | undefined {
    const result = v.safeParse(MEMBERS[name], this.#values.get(name));
    return result.success ? result.output : undefined;
  }

  /** Holds for this run in any case; rejects when it cannot be saved. */
  async set<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    this.#values.set(name, value);
    // A file that could not be read may hold what must not be lost.
    if (!this.#isReadable) throw new Error(`${this.path} cannot be read, so nothing is saved`);
    const file = readJsonFile(this.path);
    if ("fault" in file) throw new Error(file.fault);
    await writeJsonFile(this.path, { ...file.value, [name]: value });
  }
}
