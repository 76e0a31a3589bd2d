import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HostWorld } from "../../support/host.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { runZot, type ZotOptions, type ZotResult } from "../../support/zot.ts";

export type Vendor = "openai" | "anthropic";
type JsonObject = Readonly<Record<string, unknown>>;

/** The built zot, a scripted model, and the extensions that a test writes; runs share one home. */
export class ZotWorld implements AsyncDisposable {
  readonly server: ModelServer;
  /** Writes extensions and reads what they received; its host is never started. */
  readonly extensions: HostWorld;

  private constructor(server: ModelServer, extensions: HostWorld) {
    this.server = server;
    this.extensions = extensions;
  }

  static async create(turns: readonly Script[]): Promise<ZotWorld> {
    return new ZotWorld(await startModelServer(turns), await HostWorld.create());
  }

  /** `$ZOT_HOME` of every run. */
  get zotHome(): string {
    return join(this.extensions.home, "zot");
  }

  /** The flags that name the model and, in this load order, the extensions; no others are loaded. */
  flags(extensions: readonly string[], vendor: Vendor = "openai"): string[] {
    const model = ["--provider", vendor, "--base-url", this.server.url(vendor), "--model", "scripted"];
    return [...model, "--api-key", "sk-test", "--no-ext", ...extensions.flatMap((dir) => ["--ext", dir])];
  }

  run(args: readonly string[], options: ZotOptions = {}): Promise<ZotResult> {
    return runZot(args, { home: this.extensions.home, cwd: this.extensions.cwd, ...options });
  }

  /** One prompt with `--json`; gives its events. */
  async events(extensions: readonly string[], prompt: string, ...more: readonly string[]): Promise<JsonObject[]> {
    const { stdout } = await this.run(["--json", ...this.flags(extensions), ...more, prompt]);
    return jsonLines(stdout);
  }

  log(name: string): string {
    return readFileSync(join(this.zotHome, "logs", `ext-${name}.log`), "utf8");
  }

  /** The text of the one session file that the runs have written. */
  get sessionText(): string {
    const files = [...new Bun.Glob("sessions/*/*.jsonl").scanSync(this.zotHome)];
    const [only] = files;
    if (only === undefined || files.length > 1) throw new Error(`one session file expected, not ${files.join(", ")}`);
    return readFileSync(join(this.zotHome, only), "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.extensions[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** One JSON object a line; throws for any other line. */
export function jsonLines(text: string): JsonObject[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const object: JsonObject = JSON.parse(line);
      return object;
    });
}
