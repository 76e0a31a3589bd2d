/**
 * Provider tokens ("signatures") only mean something to the protocol that issued them, and some adapters fail on a foreign
 * one. They are therefore kept with the name of their protocol in front: `anthropic-messages EqQB…`.
 */
export function keepSignature(api: string, token: string | undefined): string | undefined {
  return token === undefined || token === "" ? undefined : `${api} ${token}`;
}

/** The token to send back, or undefined when another protocol issued it or it is not usable any more. */
export function replayedSignature(api: string, kept: string | undefined): string | undefined {
  if (kept === undefined || !kept.startsWith(`${api} `)) return undefined;
  const token = kept.slice(api.length + 1);
  // The Responses adapter parses its tokens without a guard; a damaged session file must not end every later request.
  if (api.endsWith("-responses") && token.startsWith("{") && !isJson(token)) return undefined;
  return token === "" ? undefined : token;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Damaged.
    return false;
  }
}
