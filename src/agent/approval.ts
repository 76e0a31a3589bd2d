import type { RawJson } from "../wire/raw-json.ts";

/** Which calls wait for a human: none, those that may change something, or all (`--approve`). */
export type ApprovalMode = "never" | "write" | "ask";

/** A call as it will run: after every interceptor (extension-host.md §4.3, defect 22). */
export interface ApprovalRequest {
  readonly id: string;
  readonly name: string;
  readonly args: RawJson;
  /** One line that tells most of it. */
  readonly preview: string;
}

export type ApprovalAnswer = "yes" | "no" | "always_this_tool" | "always_all";

/** Who asks the human; a surface that cannot has none. */
export interface Approver {
  /** False while nobody can be asked, which is the same as no approver; absent means always. */
  readonly isAvailable?: boolean;
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

const PREVIEW_KEYS = ["command", "path", "file_path", "url", "query", "name"];
const PREVIEW_CHARS = 120;
const READ_ONLY_TOOLS: ReadonlySet<string> = new Set(["read", "skill"]);

/** Decides which calls may run, and remembers what was allowed for the session. */
export class Approval {
  #mode: ApprovalMode;
  readonly #approver: Approver | undefined;
  readonly #always = new Set<string>();

  constructor(mode: ApprovalMode, approver: Approver | undefined) {
    this.#mode = mode;
    this.#approver = approver;
  }

  get mode(): ApprovalMode {
    return this.#mode;
  }

  /** Whoever sets it means all tools: what was allowed one by one before is forgotten. */
  set mode(mode: ApprovalMode) {
    this.#mode = mode;
    this.forget();
  }

  /** Another conversation: what was allowed in the one before holds no more. */
  forget(): void {
    this.#always.clear();
  }

  /**
   * Undefined: it may run. Otherwise the reason why not, for the model. `onAsk` is called when the dialog is really
   * about to wait.
   */
  async check(
    call: Omit<ApprovalRequest, "preview">,
    signal: AbortSignal,
    onAsk: (preview: string) => void,
  ): Promise<string | undefined> {
    if (!this.#needsAnswer(call.name)) return undefined;
    if (this.#approver === undefined || this.#approver.isAvailable === false) {
      return `Tool "${call.name}" requires approval but nobody can be asked; run with --approve never to allow it`;
    }
    const preview = previewOf(call.args);
    onAsk(preview);
    const answer = await this.#approver.ask({ ...call, preview }, signal);
    if (answer === "always_this_tool") this.#always.add(call.name);
    if (answer === "always_all") this.#mode = "never";
    return answer === "no" ? `Tool call denied by user: ${call.name}` : undefined;
  }

  #needsAnswer(tool: string): boolean {
    if (this.#mode === "never" || this.#always.has(tool)) return false;
    return this.#mode === "ask" || !READ_ONLY_TOOLS.has(tool);
  }
}

/** The first telling member of the arguments, cut to 120 characters. */
export function previewOf(args: RawJson): string {
  const value = args.value();
  if (value === null || typeof value !== "object") return "";
  const members = new Map<string, unknown>(Object.entries(value));
  const found = PREVIEW_KEYS.map((key) => members.get(key)).find(
    (member) => typeof member === "string" && member !== "",
  );
  return typeof found === "string" ? found.slice(0, PREVIEW_CHARS) : "";
}
