const STILL_WORKING_MS = 10_000;

/** Milliseconds as a person reads them: `85 ms`, `3.2 s`. */
export function elapsed(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/**
 * Runs one named step and tells about it on stderr: when it begins, every 10 s that it is still going, and how long it
 * took. A failure is the caller's to report; the step only says that it was this one.
 */
export async function step<T>(name: string, action: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const spent = () => elapsed(performance.now() - started);
  console.error(`${name} ...`);
  const timer = setInterval(() => console.error(`${name}: still working (${spent()})`), STILL_WORKING_MS);
  try {
    const result = await action();
    console.error(`${name}: done in ${spent()}`);
    return result;
  } catch (error) {
    console.error(`${name}: FAILED after ${spent()}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
