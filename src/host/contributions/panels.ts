import { PANEL_KEYS, type PanelKeyName } from "../../wire/frames.ts";
import { CHROME_KEY_MAX_CHARS, PANEL_PASTE_MAX_CHARS } from "../../wire/limits.ts";
import type { PanelRender } from "../../wire/schemas.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import type { AttachedSurface, Panel, Support } from "../ports.ts";
import type { Attention } from "./attention.ts";
import { head } from "./clip.ts";
import { type PanelSize, PanelSlot, type PanelSpec } from "./panel-slot.ts";

/** Key frames of a paste that go out as one write. */
const PASTE_CHUNK = 1_024;
// They would act as keys or do worse in a field for a secret; a tab is text like any other.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const NOT_TYPED = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * The panel router (extension-host.md §5.1, §5.2): one slot for all extensions. A panel is known by its generation and
 * its id, so nobody draws into the panel of another, and its owner's end closes it.
 */
export class Panels {
  readonly #attachment: Attachment;
  readonly #attention: Attention;
  #slot: PanelSlot | undefined;
  #focused = true;
  #size: PanelSize | undefined;

  constructor(attachment: Attachment, attention: Attention) {
    this.#attachment = attachment;
    this.#attention = attention;
    attachment.add({ attached: (surface) => this.#attached(surface), detached: () => this.#watchFocus() });
  }

  /** The panel that is open. */
  get open(): Panel | undefined {
    return this.#slot?.panel;
  }

  /** Whether the open panel is this extension's and takes keys. */
  hasFocus(extension: Extension): boolean {
    return this.#slot?.owner === extension && this.#slot.isWatched;
  }

  /**
   * Opens a panel in place of the one before, or refreshes it when it is open already. Where a surface has no panels
   * it is closed at once, so that nobody waits for keys that cannot come.
   */
  show(owner: Extension, fields: PanelSpec): Support {
    if (owner.connection === undefined) return "done";
    if (fields.id.length > CHROME_KEY_MAX_CHARS) {
      owner.diagnostics.add(`panel refused: an id longer than ${CHROME_KEY_MAX_CHARS} characters`);
      return "done";
    }
    if (this.#slot?.isOf(owner, fields.id)) this.#slot.fill(fields);
    else {
      // Upstream's former owner went on drawing into nothing (defect 28).
      this.close();
      this.#slot = new PanelSlot(owner, fields);
      this.#focused = true;
    }
    return this.#present(this.#attachment.surface);
  }

  /** New content for the open panel; anything else is ignored. An empty title keeps the old one. */
  render(owner: Extension, { panel_id: id, ...fields }: PanelRender): void {
    const slot = this.#slot;
    if (!slot?.isOf(owner, id)) return;
    slot.fill({ ...fields, id, title: fields.title === "" ? slot.panel.title : fields.title });
    this.#attachment.surface?.renderPanel(slot.panel);
  }

  /** The extension closes its panel; there is no echo. */
  closeByExtension(owner: Extension, id: string): void {
    if (this.#slot?.isOf(owner, id)) this.#vacate();
  }

  /** Esc, Ctrl+C, or another panel in its place: the owner is told. */
  close(): void {
    this.#vacate()?.sendClose();
  }

  /** A generation has ended. */
  remove(extension: Extension): void {
    if (this.#slot?.owner === extension) this.#vacate();
  }

  /**
   * A key for the open panel, in the names of §5.2; false when there is none. `esc` closes it and is never passed on
   * (defect 29), unnamed keys are dropped (defect 30).
   * @param text the characters of a `rune`
   */
  key(name: string, text = ""): boolean {
    const slot = this.#slot;
    if (slot === undefined) return false;
    if (name === "esc") this.close();
    else if (name === "rune") this.#type(slot, text);
    else if (isPanelKey(name)) slot.sendKey(name);
    return true;
  }

  /** Pasted text as one rune a character, line breaks taken out; false when no panel is open. */
  paste(text: string): boolean {
    if (this.#slot === undefined) return false;
    this.#type(this.#slot, text);
    return true;
  }

  /** The room for the content of a panel, in cells; protocol 2 alone knows the frame (§3.2 [REQ]). */
  resize(width: number, height: number): void {
    this.#size = { width, height };
    this.#slot?.tellSize(this.#size);
  }

  /**
   * Whether keys reach the panel: another dialog of the surface may lie over it. True for every panel that opens,
   * unless the surface says otherwise from within `openPanel`.
   */
  setFocused(focused: boolean): void {
    this.#focused = focused;
    this.#watchFocus();
  }

  #type(slot: PanelSlot, text: string): void {
    if (text.length > PANEL_PASTE_MAX_CHARS)
      slot.owner.diagnostics.add(
        `a paste into panel "${slot.panel.id}" was cut at ${PANEL_PASTE_MAX_CHARS} characters`,
      );
    const runes = [...head(text, PANEL_PASTE_MAX_CHARS).replace(NOT_TYPED, "")];
    for (let at = 0; at < runes.length; at += PASTE_CHUNK) slot.sendRunes(runes.slice(at, at + PASTE_CHUNK));
  }

  #attached(surface: AttachedSurface): void {
    if (this.#slot !== undefined) this.#present(surface);
  }

  #present(surface: AttachedSurface | undefined): Support {
    const slot = this.#slot;
    if (slot === undefined || surface === undefined) return "done";
    const support = surface.openPanel(slot.panel);
    // A surface may close it in the same breath.
    if (this.#slot !== slot) return support;
    if (support === "unsupported") {
      this.close();
      return support;
    }
    this.#watchFocus();
    if (this.#size !== undefined) slot.tellSize(this.#size);
    return "done";
  }

  #watchFocus(): void {
    this.#slot?.watch(this.#focused && this.#attachment.surface !== undefined ? this.#attention : undefined);
  }

  /** Empties the slot; gives what was in it. */
  #vacate(): PanelSlot | undefined {
    const slot = this.#slot;
    if (slot === undefined) return undefined;
    this.#slot = undefined;
    slot.watch(undefined);
    this.#attachment.surface?.closePanel(slot.panel);
    return slot;
  }
}

function isPanelKey(name: string): name is PanelKeyName {
  return PANEL_KEYS.some((known) => known === name);
}
