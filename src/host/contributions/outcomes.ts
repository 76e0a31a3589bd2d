import type { Support } from "../ports.ts";
import type { CommandOutcome } from "./commands.ts";
import type { Notes } from "./notes.ts";
import type { Panels } from "./panels.ts";
import type { Submits } from "./submits.ts";

/** What a command wants done that a surface can do; errors and cancels are for whoever ran it to tell. */
export type Performable = Exclude<CommandOutcome, { readonly kind: "error" | "cancelled" }>;

/** Carries out what commands want on the surface that is attached (extension-host.md §4.1). */
export class Outcomes {
  readonly #notes: Notes;
  readonly #panels: Panels;
  readonly #submits: Submits;

  constructor(notes: Notes, panels: Panels, submits: Submits) {
    this.#notes = notes;
    this.#panels = panels;
    this.#submits = submits;
  }

  /** Resolves at once: a prompt is queued like typed text (defect 15), the rest is shown. */
  perform(outcome: Performable): Support {
    switch (outcome.kind) {
      case "prompt":
        return this.#submits.prompt(outcome.owner, outcome.text);
      case "insert":
        return this.#submits.insert(outcome.owner, outcome.text);
      case "display":
        return this.#notes.display(outcome.owner, outcome.text);
      case "open_panel":
        return this.#panels.show(outcome.owner, outcome.panel);
      case "noop":
        return "done";
    }
  }
}
