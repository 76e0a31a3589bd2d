const URL_MAX_CHARS = 2048;
/** Printable ASCII without blanks: whatever else an address needs is percent-encoded. */
const PRINTABLE = /^[\u0021-\u007e]+$/;
const SCHEMES = /^(https?|file):\/\//i;

const LINK_START = "\u001b]8;;";
export const LINK_END = `${LINK_START}\u0007`;

/** The start of an OSC 8 hyperlink, or undefined when the address is not one that a click may open. */
export function linkStart(url: string): string | undefined {
  if (url.length > URL_MAX_CHARS || !PRINTABLE.test(url) || !SCHEMES.test(url)) return undefined;
  return `${LINK_START}${url}\u0007`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the links are sequences
const LINK = /\u001b\]8;;([^\u0007\n]+)\u0007([^\n]*?)\u001b\]8;;\u0007/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: likewise
const COLOUR = /\u001b\[[0-9;:]*m/g;
const SHOWN_HOST = /^\s*(?:(?:https?|file):\/\/|www\.)([^\s/?#]*)/i;

/** Safe text in which a link that shows the address of another place than the one that it opens is no link. */
export function withoutFalseLinks(safe: string): string {
  if (!safe.includes(LINK_START)) return safe;
  return safe.replace(LINK, (link: string, url: string, text: string) => (isFalse(url, text) ? text : link));
}

function isFalse(url: string, text: string): boolean {
  const shown = SHOWN_HOST.exec(text.replace(COLOUR, ""))?.[1];
  return shown !== undefined && hostOf(shown) !== hostOf(url);
}

function hostOf(address: string): string {
  const url = URL.parse(address.includes("://") ? address : `https://${address}`);
  return (url?.host ?? address.toLowerCase()).replace(/^www\./, "");
}
