import highlighter from "highlight.js/lib/common";
import clojure from "highlight.js/lib/languages/clojure";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import haskell from "highlight.js/lib/languages/haskell";
import nginx from "highlight.js/lib/languages/nginx";
import nix from "highlight.js/lib/languages/nix";
import ocaml from "highlight.js/lib/languages/ocaml";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";

const MORE = {
  clojure,
  dart,
  dockerfile,
  elixir,
  erlang,
  haskell,
  nginx,
  nix,
  ocaml,
  powershell,
  protobuf,
  scala,
};

for (const [name, language] of Object.entries(MORE)) highlighter.registerLanguage(name, language);

/** The highlighter with the languages that coding sessions meet; a module of its own so that it loads only when code is shown. */
export { highlighter };
