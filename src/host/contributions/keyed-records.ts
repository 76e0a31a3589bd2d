import { CHROME_KEY_MAX_CHARS } from "../../wire/limits.ts";
import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import type { AttachedSurface } from "../ports.ts";

/** How one kind of record is shown. */
export interface Presentation<R> {
  /** For diagnostics. */
  readonly noun: string;
  /** Records of one extension. */
  readonly limit: number;
  show(surface: AttachedSurface, record: R): void;
  clear(surface: AttachedSurface, name: string, key: string): void;
}

interface Entry<R> {
  readonly owner: Extension;
  readonly key: string;
  readonly record: R;
}

/**
 * Records known by extension and key, one value a key, each owned by the generation that set it: an older one neither
 * replaces nor removes what a younger one of the same name has set (extension-host.md §5.5, defect 38).
 */
export class KeyedRecords<R> {
  readonly #attachment: Attachment;
  readonly #presentation: Presentation<R>;
  readonly #byName = new Map<string, Map<string, Entry<R>>>();

  constructor(attachment: Attachment, presentation: Presentation<R>) {
    this.#attachment = attachment;
    this.#presentation = presentation;
  }

  /** Sorted by extension, then by key. */
  get list(): readonly R[] {
    return sorted(this.#byName).flatMap((keys) => sorted(keys).map(({ record }) => record));
  }

  /** Sets or replaces one, and shows it. A blank key is ignored; too many or too long ones are refused. */
  set(owner: Extension, key: string, record: R): void {
    if (!this.#mayTouch(owner, key)) return;
    const { noun, limit, show } = this.#presentation;
    const keys = this.#byName.get(owner.name) ?? new Map<string, Entry<R>>();
    const refused = refusal(keys, key, limit);
    if (refused !== undefined) {
      owner.diagnostics.add(`${noun} refused: ${refused}`);
      return;
    }
    keys.set(key, { owner, key, record });
    this.#byName.set(owner.name, keys);
    const { surface } = this.#attachment;
    if (surface !== undefined) show(surface, record);
  }

  /** Removes one. Clearing what is not there is passed on too: the surface may know better. */
  clear(owner: Extension, key: string): void {
    if (!this.#mayTouch(owner, key)) return;
    this.#delete(owner.name, key);
    const { surface } = this.#attachment;
    if (surface !== undefined) this.#presentation.clear(surface, owner.name, key);
  }

  /** Removes what one generation owns and gives the keys; the surface is told by the caller. */
  remove(owner: Extension): string[] {
    const own = [...(this.#byName.get(owner.name)?.values() ?? [])].filter((entry) => entry.owner === owner);
    for (const { key } of own) this.#delete(owner.name, key);
    return own.map(({ key }) => key);
  }

  /** Shows everything to a surface that has just come. */
  replay(surface: AttachedSurface): void {
    for (const record of this.list) this.#presentation.show(surface, record);
  }

  /** Whether any generation of that name has a record. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  #mayTouch(owner: Extension, key: string): boolean {
    const known = this.#byName.get(owner.name)?.get(key);
    return key.trim() !== "" && (known === undefined || known.owner.generation <= owner.generation);
  }

  #delete(name: string, key: string): void {
    const keys = this.#byName.get(name);
    keys?.delete(key);
    if (keys?.size === 0) this.#byName.delete(name);
  }
}

function refusal(keys: ReadonlyMap<string, unknown>, key: string, limit: number): string | undefined {
  if (key.length > CHROME_KEY_MAX_CHARS) return `a key longer than ${CHROME_KEY_MAX_CHARS} characters`;
  return keys.has(key) || keys.size < limit ? undefined : `more than ${limit} at a time`;
}

function sorted<V>(map: ReadonlyMap<string, V>): V[] {
  return [...map].sort(([a], [b]) => compare(a, b)).map(([, value]) => value);
}

/** By code units, so that the order is the same everywhere. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
