import type { DialogAnswer } from "../../../src/host/dialog.ts";
import type { Panels } from "../../../src/host/contributions/panels.ts";
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
    if (this.#mood.closesPanels) this.#panels.close();
    return super.openPanel(panel);
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
