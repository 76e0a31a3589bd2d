import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from "marked";

/** A longer text with a line of dashes below it is no heading. */
const HEADING_MAX_CHARS = 2 * 1024;
const UNDERLINE = /\n {0,3}(?:=+|-+) *(?:\n|$)/;

/** What the library makes of a text as far as blocks go. */
export interface Blocks {
  /** In order; their `raw` put together is the text. */
  readonly tokens: readonly Token[];
  /** What will be looked through for emphasis, links and the like: paragraphs, items, cells. */
  readonly runs: readonly string[];
}

/** Takes a text apart into blocks. Throws what the library throws, which calls itself for whatever is nested. */
export function blocksOf(text: string): Blocks {
  const lexer = new Lexer({ ...getDefaults(), tokenizer: new BlockTokenizer() });
  const tokens: Token[] = [];
  let at = 0;
  for (const token of lexer.blockTokens(text, [])) {
    // The library may give back a line feed for a blank.
    const raw = text.slice(at, at + token.raw.length);
    tokens.push(raw === token.raw ? token : { ...token, raw });
    at += raw.length;
  }
  if (at < text.length) tokens.push(asText(text.slice(at)));
  return { tokens, runs: lexer.inlineQueue.map(({ src }) => src) };
}

/** A text that is a block of its own. */
export function asText(raw: string): Token {
  return { type: "text", raw, text: raw };
}

class BlockTokenizer extends Tokenizer {
  /** The library drops the second definition of a name, and what follows would be misplaced; so they stay in the text. */
  override def(_text: string): undefined {
    return undefined;
  }

  /** Asked at every line of an item, and the library looks through all that follows each time. */
  override lheading(text: string): Tokens.Heading | undefined {
    const head = text.slice(0, HEADING_MAX_CHARS);
    return UNDERLINE.test(head) ? super.lheading(head) : undefined;
  }
}
