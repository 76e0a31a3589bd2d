/** Characters of one error message; the rest of what a service says is not worth a screen. */
const MAX_MESSAGE_CHARS = 300;

/** Keys in the usual spellings, whole or half masked, wherever a service or a library echoes them. */
const KEY_LIKE = /\b(?:sk|pk|rk|gsk)[-_][A-Za-z0-9_*.-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+[\w.~+/-]{12,}=*/g;

/**
 * One readable line: control characters and line breaks become blanks, anything that looks like a key or is one of
 * `secrets` is taken out, and the whole is cut to 300 characters.
 */
export function errorLine(text: string, secrets: readonly string[] = []): string {
  let line = text;
  for (const secret of secrets) {
    // A short "secret" (a placeholder such as "x") would blot out ordinary words.
    if (secret.length >= 6) line = line.replaceAll(secret, "…");
  }
  line = line
    .replace(KEY_LIKE, "…")
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim()
    .toWellFormed();
  return line.length <= MAX_MESSAGE_CHARS ? line : `${line.slice(0, MAX_MESSAGE_CHARS - 1)}…`.toWellFormed();
}

/** Where services put the sentence, in the order of preference. */
const MESSAGE_KEYS = ["message", "error", "detail", "details", "msg", "errors"];
const MAX_MESSAGE_DEPTH = 4;

function sentence(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value !== "object" || value === null || depth > MAX_MESSAGE_DEPTH) return undefined;
  if (Array.isArray(value)) return sentence(value[0], depth + 1);
  for (const key of MESSAGE_KEYS) {
    const found = sentence(Reflect.get(value, key), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The sentence inside an error value that is already parsed; undefined when it holds none. */
export function messageIn(value: unknown): string | undefined {
  return sentence(value);
}

/**
 * What an error body says: the message of a JSON body, the title of a web page (never its markup), else its text.
 * "" when it says nothing.
 */
export function bodyMessage(body: string): string {
  const text = body.trim();
  if (text.startsWith("<")) {
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? /<h1[^>]*>([^<]*)<\/h1>/i.exec(text)?.[1] ?? "";
    return title.trim() === "" ? "a web page" : `a web page titled "${title.trim()}"`;
  }
  try {
    return messageIn(JSON.parse(text)) ?? "";
  } catch {
    // Not JSON: plain text from a gateway, which is the message itself.
    return text;
  }
}

/** What an exception of the runtime says, without its advice to programmers. */
export function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const told = message.replace(/ For more information, pass.*$/s, "").replace(/ Is the computer able.*$/s, "");
  return typeof code === "string" && !told.includes(code) ? `${told} (${code})` : told;
}
