const URL_MAX_CHARS = 2048;
/** Printable ASCII without blanks: whatever else an address needs is percent-encoded. */
const PRINTABLE = /^[\u0021-\u007e]+$/;
const SCHEMES = /^(https?|file):\/\//i;

export const LINK_END = "\u001b]8;;\u0007";

/** The start of an OSC 8 hyperlink, or undefined when the address is not one that a click may open. */
export function linkStart(url: string): string | undefined {
  if (url.length > URL_MAX_CHARS || !PRINTABLE.test(url) || !SCHEMES.test(url)) return undefined;
  return `\u001b]8;;${url}\u0007`;
}
