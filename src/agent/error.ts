/** The one error class of this floor: a prompt that could not be carried to its end. */
export class AgentError extends Error {
  readonly code: "step_limit" | "cost_cap" | "blocked" | "model" | "command";

  constructor(code: AgentError["code"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "AgentError";
    this.code = code;
  }
}
