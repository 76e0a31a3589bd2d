/** How many colours the terminal has. */
export type ColourDepth = "none" | "16" | "256" | "truecolor";

type Env = Readonly<Record<string, string | undefined>>;

const FORCED: Readonly<Record<string, ColourDepth>> = { "0": "none", "1": "16", "2": "256", "3": "truecolor" };
const TRUECOLOR_PROGRAMS = new Set(["iTerm.app", "WezTerm", "ghostty", "vscode", "Hyper", "rio", "Tabby"]);

/** What the environment says; `NO_COLOR` and `FORCE_COLOR` win over the terminal's own word. */
export function colourDepth(env: Env): ColourDepth {
  const { NO_COLOR, FORCE_COLOR, COLORTERM, TERM_PROGRAM, WT_SESSION } = env;
  if (NO_COLOR) return "none";
  const forced = FORCE_COLOR === undefined ? undefined : FORCED[FORCE_COLOR];
  if (forced !== undefined) return forced;
  const term = env["TERM"] ?? "";
  if (term === "dumb") return "none";
  if (/^(truecolor|24bit)$/i.test(COLORTERM ?? "") || /-direct$/.test(term)) return "truecolor";
  if (WT_SESSION || TRUECOLOR_PROGRAMS.has(TERM_PROGRAM ?? "") || /kitty|ghostty|alacritty|foot/.test(term))
    return "truecolor";
  return term.includes("256color") ? "256" : "16";
}
