import { ALERT_INTERVAL_MS, ALERTS_BEFORE_SURFACE_MAX, CHROME_LINE_MAX_CHARS } from "../../wire/limits.ts";
import type { AlertFields } from "../../wire/schemas.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Alert, AttachedSurface } from "../ports.ts";
import { clip } from "./clip.ts";

/** Calls for attention, at most one a second from one extension (extension-host.md §5.6 [REQ]). */
export class Alerts {
  readonly #attachment: Attachment;
  readonly #lastAt = new WeakMap<Extension, number>();
  #waiting: readonly { readonly alert: Alert; readonly owner: Extension }[] = [];

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  alert(owner: Extension, { kind, reason }: AlertFields): void {
    const now = performance.now();
    const last = this.#lastAt.get(owner);
    if (kind === "" || (last !== undefined && now - last < ALERT_INTERVAL_MS)) return;
    this.#lastAt.set(owner, now);
    const alert = {
      ...ownerOf(owner),
      kind: clip(kind, CHROME_LINE_MAX_CHARS),
      reason: clip(reason, CHROME_LINE_MAX_CHARS),
    };
    const { surface } = this.#attachment;
    if (surface === undefined) this.#waiting = [...this.#waiting, { alert, owner }].slice(-ALERTS_BEFORE_SURFACE_MAX);
    else surface.alert(alert);
  }

  /** A generation has ended: nobody needs to be called to it any more. */
  remove(extension: Extension): void {
    this.#waiting = this.#waiting.filter(({ owner }) => owner !== extension);
  }

  replay(surface: AttachedSurface): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { alert } of waiting) surface.alert(alert);
  }
}
