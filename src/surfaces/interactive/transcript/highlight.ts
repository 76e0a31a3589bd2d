import type { HLJSApi } from "highlight.js";
import type { Look, Paint } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";

/** More than this is shown plain: colouring must never cost a noticeable pause. */
const HIGHLIGHT_MAX_CHARS = 60_000;

/**
 * Colours for code. The highlighter comes with the first code block and is loaded behind it; until it is there code is
 * plain, and `onLoaded` tells when it is worth drawing again.
 */
export class Highlighter {
  readonly #look: Look;
  readonly #onLoaded: () => void;
  #hljs: HLJSApi | undefined;
  #loading = false;

  constructor(look: Look, onLoaded: () => void) {
    this.#look = look;
    this.#onLoaded = onLoaded;
  }

  get isLoaded(): boolean {
    return this.#hljs !== undefined;
  }

  /** The lines of `code`, which is safe text without styles. */
  lines(code: string, language: string | undefined): string[] {
    const plain = code.split("\n");
    if (language === undefined || language === "" || this.#look.depth === "none" || code.length > HIGHLIGHT_MAX_CHARS) {
      return plain;
    }
    if (this.#hljs === undefined) {
      this.#load();
      return plain;
    }
    const name = language.toLowerCase();
    if (this.#hljs.getLanguage(name) === undefined) return plain;
    const coloured = this.#coloured(this.#hljs, code, name).split("\n");
    return coloured.length === plain.length ? coloured : plain;
  }

  #coloured(hljs: HLJSApi, code: string, language: string): string {
    try {
      const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
      return isTree(emitter) ? this.#draw(emitter.root, undefined) : code;
    } catch {
      // Scopes in scopes without end exhaust the stack; such code is shown plain.
      return code;
    }
  }

  #load(): void {
    if (this.#loading) return;
    this.#loading = true;
    void import("./languages.ts").then(
      ({ highlighter }) => {
        this.#hljs = highlighter;
        this.#onLoaded();
      },
      // Without it code is plain; the next start tries again.
      () => undefined,
    );
  }

  /** Colours piece by piece and line by line: a colour must not run over the end of its row. */
  #draw(node: TreeNode | string, scope: string | undefined): string {
    if (typeof node !== "string") {
      const own = node.scope ?? scope;
      return node.children.map((child) => this.#draw(child, own)).join("");
    }
    const paint = this.#paintOf(scope);
    return node
      .split("\n")
      .map((piece) => (piece === "" ? "" : paint(piece)))
      .join("\n");
  }

  #paintOf(scope: string | undefined): Paint {
    const role = scope === undefined ? undefined : ROLE_OF[scope.split(".")[0] ?? ""];
    return role === undefined ? (text) => text : this.#look.paintOf(role);
  }
}

/** By the first word of the scope; what is not here stays as it is. */
const ROLE_OF: Readonly<Record<string, Role | undefined>> = {
  keyword: "codeKeyword",
  literal: "codeKeyword",
  operator: "codeKeyword",
  selector: "codeKeyword",
  "selector-tag": "codeKeyword",
  built_in: "codeType",
  type: "codeType",
  class: "codeType",
  tag: "codeType",
  name: "codeFunction",
  attr: "codeFunction",
  attribute: "codeFunction",
  property: "codeFunction",
  title: "codeFunction",
  section: "codeFunction",
  string: "codeString",
  regexp: "codeString",
  symbol: "codeString",
  number: "codeNumber",
  comment: "codeComment",
  quote: "codeComment",
  meta: "codeComment",
  doctag: "codeComment",
  addition: "added",
  deletion: "removed",
};

interface TreeNode {
  readonly scope?: string;
  readonly children: readonly (TreeNode | string)[];
}

/** The library's own tree of scopes, which is what all of its renderers walk. */
function isTree(emitter: object): emitter is { readonly root: TreeNode } {
  return "root" in emitter && typeof emitter.root === "object" && emitter.root !== null && "children" in emitter.root;
}
