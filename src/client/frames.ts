/** One frame from zot. What else is in it depends on its type; readers pass by what they do not know. */
export interface Frame {
  readonly type: string;
  readonly [key: string]: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Standard base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Why a prompt failed. */
export interface PromptError {
  readonly message: string;
  readonly provider?: string;
  readonly model?: string;
  readonly httpStatus?: number;
  /** The same prompt may succeed later. */
  readonly retryable: boolean;
  /** `cost_cap`: the spending limit is reached. */
  readonly code?: string;
}

/** How a prompt ended; there is exactly one for each that was accepted. */
export interface PromptResult {
  /** False: it was done without the model, by a slash command. */
  readonly agentInvoked: boolean;
  readonly status: "completed" | "aborted" | "error";
  readonly error?: PromptError;
  /** Nothing will start by itself any more. */
  readonly sessionSettled: boolean;
}

export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function isFrame(value: unknown): value is Frame {
  return isFields(value) && typeof value["type"] === "string";
}

/** A `prompt_result`, with defaults for what is not there. */
export function promptResultOf(frame: Fields): PromptResult {
  const { agentInvoked, status, error, sessionSettled } = frame;
  return {
    agentInvoked: agentInvoked === true,
    status: status === "completed" || status === "aborted" ? status : "error",
    sessionSettled: sessionSettled === true,
    ...(isFields(error) ? { error: promptErrorOf(error) } : {}),
  };
}

function promptErrorOf({ message, provider, model, httpStatus, retryable, code }: Fields): PromptError {
  return {
    message: String(message ?? "unknown error"),
    retryable: retryable === true,
    ...(typeof provider === "string" ? { provider } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof httpStatus === "number" ? { httpStatus } : {}),
    ...(typeof code === "string" ? { code } : {}),
  };
}
