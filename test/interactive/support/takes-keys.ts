import type { Screen } from "./screen.ts";

/** Waits until a question that is on the screen has the keys: it leaves them where they were until nobody types. */
export function takesKeys(screen: Screen): Promise<void> {
  return screen.hides("stop typing for a moment");
}
