import type { EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import type { SelectListTheme } from "@earendil-works/pi-tui/dist/components/select-list.js";
import type { Look } from "./look.ts";

/** Our roles in the words of the terminal library's list. */
function listTheme(look: Look): SelectListTheme {
  return {
    selectedPrefix: look.paintOf("accent"),
    selectedText: (text) => look.selected(text),
    description: look.paintOf("muted"),
    scrollInfo: look.paintOf("faint"),
    noMatch: look.paintOf("muted"),
  };
}

export function editorTheme(look: Look): EditorTheme {
  return { borderColor: look.paintOf("border"), selectList: listTheme(look) };
}

/** @param highlight colours the lines of a code block */
export function markdownTheme(
  look: Look,
  highlight: (code: string, language: string | undefined) => string[],
): MarkdownTheme {
  return {
    heading: (text) => look.bold(look.paint("heading", text)),
    link: look.paintOf("link"),
    linkUrl: look.paintOf("muted"),
    code: look.paintOf("code"),
    codeBlock: look.paintOf("text"),
    codeBlockBorder: look.paintOf("faint"),
    quote: look.paintOf("quote"),
    quoteBorder: look.paintOf("faint"),
    hr: look.paintOf("faint"),
    listBullet: look.paintOf("accent"),
    bold: look.bold,
    italic: look.italic,
    strikethrough: look.strikethrough,
    underline: look.underline,
    highlightCode: (code, language) => highlight(code, language),
  };
}
