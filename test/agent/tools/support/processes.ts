/** True while the process runs; a dead one that nobody has reaped yet does not. */
export function isRunning(pid: number): boolean {
  const found = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)]);
  const state = found.stdout.toString().trim();
  return state !== "" && !state.startsWith("Z");
}

/** Waits for a condition, looking every 10 ms; throws when it does not come true within `ms`. */
export async function until(what: string, condition: () => boolean, ms = 5000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await Bun.sleep(10);
  }
}
