import type { Approver } from "../../agent/approval.ts";
import type { BuiltinTool } from "../../agent/tools/tool.ts";
import type { ExtensionHost } from "../../host/host.ts";
import type { AttachedSurface } from "../../host/ports.ts";
import type { RpcEngine } from "./engine.ts";
import type { InputLine } from "./transport/input.ts";

/** One of the two languages of `zot rpc`, from the first byte to the last. */
export interface RpcDialect {
  /** The longest line that a client may send, in bytes. */
  readonly lineLimit: number;
  /** Where extensions show themselves and ask. */
  readonly surface: AttachedSurface;
  /** Who is asked before tools run; absent: nobody can be. */
  readonly approver?: Approver;
  /** The built-in tools, reaching what extensions and the client keep behind URLs. */
  tools(builtins: readonly BuiltinTool[], host: Pick<ExtensionHost, "uris">): readonly BuiltinTool[];
  /** Tools that the client runs. */
  guests(): readonly BuiltinTool[];
  /** Says what is said before extensions start. */
  greet(): void;
  /** Takes one line, in order; a promise asks for a pause in reading. Never rejects. */
  receive(line: InputLine): Promise<void> | undefined;
  /** Something that a human should know, of the session's file mostly. */
  warn(text: string): void;
  /** Extensions are up: commands can be carried out from now on. */
  start(engine: RpcEngine): void;
  /** The client has closed its side; resolves when what it asked for before has been done. */
  finish(): Promise<void>;
  /** Stops at once what `finish` would wait for, because the process ends. */
  abandon(): void;
}
