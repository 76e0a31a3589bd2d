import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuiltinTool, ToolContext, ToolOutcome } from "../../../../src/agent/tools/tool.ts";
import { textOf } from "../../../../src/llm/messages.ts";

/** A project directory of its own for one test, and the context that a tool gets there. */
export class Workspace implements AsyncDisposable {
  readonly cwd: string;
  readonly abort = new AbortController();
  /** Everything that was reported as progress. */
  progress = "";

  private constructor(cwd: string) {
    this.cwd = cwd;
  }

  static async open(): Promise<Workspace> {
    return new Workspace(await realpath(await mkdtemp(join(tmpdir(), "zot-test-"))));
  }

  get context(): ToolContext {
    return {
      callId: "call_1",
      update: () => undefined,
      cwd: this.cwd,
      signal: this.abort.signal,
      progress: (text) => {
        this.progress += text;
      },
    };
  }

  path(name: string): string {
    return join(this.cwd, name);
  }

  run<Args>(tool: BuiltinTool<Args>, args: Args): Promise<ToolOutcome> {
    return tool.run(args, this.context);
  }

  /** The text of an outcome that must be a success. */
  async ok<Args>(tool: BuiltinTool<Args>, args: Args): Promise<string> {
    const outcome = await this.run(tool, args);
    if (outcome.isError) throw new Error(`unexpected error outcome: ${textOf(outcome)}`);
    return textOf(outcome);
  }

  /** The text of an outcome that must be an error. */
  async fails<Args>(tool: BuiltinTool<Args>, args: Args): Promise<string> {
    const outcome = await this.run(tool, args);
    if (!outcome.isError) throw new Error(`unexpected success: ${textOf(outcome)}`);
    return textOf(outcome);
  }

  /** A file's bytes, one character per byte. */
  async bytes(name: string): Promise<string> {
    return (await readFile(this.path(name))).toString("latin1");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.cwd, { recursive: true, force: true });
  }
}
