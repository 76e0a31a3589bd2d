import type { Panels } from "../../../src/host/contributions/panels.ts";
import type { DialogAnswer } from "../../../src/host/dialog.ts";
import type { Panel, Support } from "../../../src/host/ports.ts";
import { type AskedDialog, RecordingSurface } from "../../support/recording-surface.ts";
import type { DialogReply, SurfaceMood } from "./plan.ts";

/** A surface that does everything which its interface allows, at the worst moments too. */
export class MoodySurface extends RecordingSurface {
  readonly #mood: SurfaceMood;
  readonly #panels: Pick<Panels, "close">;

  constructor(mood: SurfaceMood, panels: Pick<Panels, "close">) {
    super(mood.interactive);
    this.#mood = mood;
    this.#panels = panels;
    for (const call of mood.lacks) this.lacks.add(call);
  }

  override openPanel(panel: Panel): Support {
    const support = super.openPanel(panel);
    if (this.#mood.closesPanels) this.#panels.close();
    return support;
  }

  /** What somebody who believes every word of the host would see: statuses, widgets and panels that did not go. */
  get shown(): string[] {
    const shown = new Map<string, string>();
    for (const call of this.calls) {
      if (call.call === "status")
        shown.set(`status ${call.status.extension} ${call.status.key}`, call.status.extension);
      if (call.call === "clearStatus") shown.delete(`status ${call.extension} ${call.key}`);
      if (call.call === "widget") shown.set(`widget ${call.widget.extension} ${call.widget.id}`, call.widget.extension);
      if (call.call === "clearWidget") shown.delete(`widget ${call.extension} ${call.key}`);
      if (call.call === "openPanel") shown.set("panel", "");
      if (call.call === "closePanel") shown.delete("panel");
      if (call.call !== "clearChrome") continue;
      for (const [what, extension] of shown) if (extension === call.extension) shown.delete(what);
    }
    return [...shown.keys()];
  }

  override ask(...asked: Parameters<RecordingSurface["ask"]>): ReturnType<RecordingSurface["ask"]> {
    const answer = super.ask(...asked);
    if (this.#mood.answersAtOnce) reply(this.asked.at(-1), "value");
    return answer;
  }
}

/** Answers a dialog, whether it waits for that kind of answer or for none. */
export function reply(dialog: AskedDialog | undefined, how: DialogReply): void {
  if (how === "fails") dialog?.fail(new Error("the screen is gone"));
  else dialog?.answer(ANSWERS[how]);
}

const ANSWERS: Readonly<Record<Exclude<DialogReply, "fails">, DialogAnswer>> = {
  value: { kind: "value", value: "a" },
  confirmed: { kind: "confirmed", confirmed: true },
  answers: { kind: "answers", answers: [{ id: "q", selectedOptions: ["a"] }] },
  cancelled: { kind: "cancelled" },
  "timed out": { kind: "cancelled", timedOut: true },
};
