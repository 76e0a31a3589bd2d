const POLL_MS = 5;

/** Waits until `look` gives something else than false or undefined, and gives that; throws when `ms` go by first. */
export async function until<T>(
  what: string,
  look: () => T | false | undefined | Promise<T | false | undefined>,
  ms = 10_000,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await Bun.sleep(POLL_MS);
  }
}
