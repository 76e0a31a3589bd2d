import { isRecord } from "../command.ts";

/** How much of a frame one pass leaves: characters of a text, items of a list, keys of an object. */
interface Cap {
  readonly chars: number;
  readonly items: number;
  readonly keys: number;
}

const KiB = 1024;

/** From gentle to harsh (rpc-wire.md §1.5). */
const CAPS: readonly Cap[] = [
  { chars: 256 * KiB, items: 512, keys: 512 },
  { chars: 64 * KiB, items: 256, keys: 256 },
  { chars: 16 * KiB, items: 128, keys: 128 },
  { chars: 4 * KiB, items: 64, keys: 64 },
  { chars: KiB, items: 16, keys: 32 },
  { chars: 256, items: 4, keys: 16 },
  { chars: 64, items: 1, keys: 8 },
];

/**
 * The fields of a frame, made as small as it takes for `fits` to say yes; undefined when even the last pass is too
 * large. What is cut says so: texts and lists by their last line or item, objects by `rpcFrameElidedKeys`.
 */
export function elideToFit(
  fields: Readonly<Record<string, unknown>>,
  fits: (fields: Readonly<Record<string, unknown>>) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  for (const cap of CAPS) {
    const smaller = elideObject(fields, cap);
    if (fits(smaller)) return smaller;
  }
  return undefined;
}

function elide(value: unknown, cap: Cap): unknown {
  if (typeof value === "string") return elideText(value, cap.chars);
  if (Array.isArray(value)) return elideList(value, cap);
  return isRecord(value) ? elideObject(value, cap) : value;
}

function elideText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars).toWellFormed()}\n…[${text.length - chars} chars elided for RPC frame]`;
}

function elideList(list: readonly unknown[], cap: Cap): unknown[] {
  const kept = list.slice(0, cap.items).map((item) => elide(item, cap));
  if (kept.length === list.length) return kept;
  return [...kept, `…[${list.length - kept.length} items elided for RPC frame]`];
}

function elideObject(object: Readonly<Record<string, unknown>>, cap: Cap): Record<string, unknown> {
  const entries = Object.entries(object);
  const kept = entries.slice(0, cap.keys).map(([key, value]) => [key, elide(value, cap)]);
  const elided = entries.length - kept.length;
  return Object.fromEntries(elided === 0 ? kept : [...kept, ["rpcFrameElidedKeys", elided]]);
}
