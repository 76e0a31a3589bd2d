import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import type { AttachedSurface } from "../ports.ts";
import { Alerts } from "./alerts.ts";
import { Notes } from "./notes.ts";
import { Statuses } from "./statuses.ts";
import { Widgets } from "./widgets.ts";

/**
 * What extensions show beside the transcript (extension-host.md §5.4-5.6). Every record belongs to one generation, is
 * kept here and shown to whichever surface is attached, also to one that comes late.
 */
export class Chrome {
  readonly notes: Notes;
  readonly statuses: Statuses;
  readonly widgets: Widgets;
  readonly alerts: Alerts;
  readonly #attachment: Attachment;

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
    this.notes = new Notes(attachment);
    this.statuses = new Statuses(attachment);
    this.widgets = new Widgets(attachment);
    this.alerts = new Alerts(attachment);
    attachment.add({ attached: (surface) => this.#replay(surface) });
  }

  /** A generation has ended. What a younger one of the same name shows stays (defect 38). */
  remove(extension: Extension): void {
    const { name } = extension;
    this.notes.remove(extension);
    this.alerts.remove(extension);
    const keys = this.statuses.remove(extension);
    const ids = this.widgets.remove(extension);
    const { surface } = this.#attachment;
    if (surface === undefined) return;
    if (!this.notes.has(name) && !this.statuses.has(name) && !this.widgets.has(name)) {
      surface.clearChrome(name);
      return;
    }
    for (const key of keys) surface.clearStatus(name, key);
    for (const id of ids) surface.clearWidget(name, id);
  }

  #replay(surface: AttachedSurface): void {
    this.notes.replay(surface);
    this.statuses.replay(surface);
    this.widgets.replay(surface);
    this.alerts.replay(surface);
  }
}
