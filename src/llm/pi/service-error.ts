import { getOverflowPatterns } from "@earendil-works/pi-ai/utils/overflow";
import { LlmError, type LlmErrorCode } from "../error.ts";
import { codeForStatus } from "../status.ts";
import { bodyMessage, errorLine, messageIn, reasonOf } from "./error-text.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Who was asked; what an error message needs to be of use. */
export interface Service {
  readonly provider: string;
  /** For example `api.openai.com`. */
  readonly host: string;
  /** How the user sets the key, for example `OPENAI_API_KEY or --api-key`. */
  readonly keySource: string;
  /** Texts that must never show up in a message. */
  readonly secrets: readonly string[];
}

/** Names that services give to errors, in bodies and in events of a stream that began with 200. */
const CODE_BY_NAME: ReadonlyMap<string, LlmErrorCode> = new Map([
  ["authentication_error", "auth"],
  ["permission_error", "auth"],
  ["invalid_api_key", "auth"],
  ["rate_limit_error", "rate_limit"],
  ["rate_limit_exceeded", "rate_limit"],
  ["insufficient_quota", "refused"],
  ["billing_error", "refused"],
  ["invalid_request_error", "refused"],
  ["not_found_error", "refused"],
  ["content_filter", "refused"],
  ["context_length_exceeded", "context_overflow"],
  ["request_too_large", "context_overflow"],
]);

function namedCode(error: unknown): LlmErrorCode | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  for (const key of ["code", "type", "status"]) {
    const name: unknown = Reflect.get(error, key);
    if (typeof name === "number" && name >= 400 && name <= 599) return codeForStatus(name);
    const known = typeof name === "string" ? CODE_BY_NAME.get(name.toLowerCase()) : undefined;
    if (known !== undefined) return known;
  }
  return undefined;
}

function isOverflow(text: string): boolean {
  return getOverflowPatterns().some((pattern) => pattern.test(text));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Plain text or a web page: there is no error object to look into.
    return undefined;
  }
}

function errorObject(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Reflect.get(value, "error") ?? value;
}

function refineStatus(status: number, body: string): LlmErrorCode {
  const code = codeForStatus(status);
  if (code === "auth") return code;
  const named = namedCode(errorObject(parsed(body)));
  // An exhausted quota comes as 429 too, and no waiting helps.
  if (code === "rate_limit") return named === "refused" ? named : code;
  if (named === "context_overflow" || isOverflow(body)) return "context_overflow";
  return code;
}

function advice(code: LlmErrorCode, status: number, service: Service): string {
  if (code === "auth") return ` Check ${service.keySource}.`;
  if (code === "context_overflow") return " The conversation is too long for this model.";
  if (status === 404) return " Check --model and --base-url.";
  return "";
}

/** An answer with a status of 400 or more. `body` may be cut. */
export function statusError(service: Service, status: number, headers: Headers, body: string): LlmError {
  const code = refineStatus(status, body);
  const said = errorLine(bodyMessage(body), service.secrets).replace(/[.\s]+$/, "");
  const start = `${service.provider} (${service.host}) answered ${status}`;
  const wait = retryAfterMs(headers);
  return new LlmError(code, errorLine(`${start}${said === "" ? "." : `: ${said}.`}${advice(code, status, service)}`), {
    status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** An answer that sends us elsewhere. It is not followed: the key would travel to a host that the user did not name. */
export function redirectError(service: Service, status: number, location: string | null): LlmError {
  const target = location === null ? "" : ` to ${URL.parse(location)?.host ?? "another address"}`;
  const text = `${service.provider} (${service.host}) answered ${status} and redirects${target}; give the final address with --base-url.`;
  return new LlmError("refused", errorLine(text), { status });
}

/** An error that a service reports inside a stream it had begun with 200. */
export function eventError(service: Service, payload: unknown): LlmError {
  const error = errorObject(payload);
  const text = messageIn(error) ?? JSON.stringify(error) ?? "";
  const named = namedCode(error);
  const code = named !== "auth" && isOverflow(text) ? "context_overflow" : (named ?? "server");
  const said = errorLine(text, service.secrets).replace(/[.\s]+$/, "");
  const trailer = code === "auth" ? ` Check ${service.keySource}.` : "";
  return new LlmError(code, errorLine(`${service.provider} reported an error in its answer: ${said}.${trailer}`));
}

/** A 200 whose body is JSON or a web page where an event stream was due. */
export function notAnAnswer(service: Service, body: string): LlmError {
  const value = parsed(body);
  if (value !== undefined && errorObject(value) !== value) return eventError(service, value);
  const what = body.trimStart().startsWith("<") ? "a web page" : "JSON that is no event stream";
  const text = `${service.provider} (${service.host}) answered with ${what}; check --base-url.`;
  return new LlmError("refused", errorLine(text), { status: 200 });
}

/** No answer at all: no connection, no name, no trust. */
export function connectionError(service: Service, cause: unknown, proxy: string): LlmError {
  const through = proxy === "" ? "" : ` through the proxy ${proxy}`;
  const text = `no connection to ${service.provider} at ${service.host}${through}: ${reasonOf(cause)}`;
  return new LlmError("network", errorLine(text, service.secrets), { cause });
}

/** The connection broke, closed, or fell silent before the answer was complete. */
export function cutError(service: Service, detail: string, cause?: unknown): LlmError {
  const text = `the answer of ${service.provider} (${service.host}) broke off: ${detail}`;
  return new LlmError("cut_stream", errorLine(text, service.secrets), { cause });
}
