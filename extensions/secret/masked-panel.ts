import type { Extension, Panel, PanelKey } from "zot/ext";

const MAX_CHARS = 1_024;
const FOOTER = "enter done · backspace · esc cancel";

let count = 0;

/**
 * Asks for one masked line with a panel, for hosts without dialogs. Undefined when the panel is closed, or `signal`
 * aborts. What is typed is nowhere but here: the panel gets dots.
 */
export async function askInPanel(ext: Extension, title: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  count += 1;
  // Used once, so that a late key of one question cannot get into the next.
  const id = `secret-${count}`;
  const typed: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const giveUp = (): void => resolve(undefined);
  ext.onPanelClose(id, giveUp);
  ext.onPanelKey(id, (key) => {
    if (key.key === "enter") resolve(typed.join(""));
    else ext.renderPanel(view(id, title, press(typed, key)));
  });
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    ext.openPanel(view(id, title, typed));
    return await promise;
  } finally {
    signal.removeEventListener("abort", giveUp);
    ext.forgetPanel(id);
    // Ignored when it was the user who closed it.
    ext.closePanel(id);
  }
}

function press(typed: string[], { key, text }: PanelKey): readonly string[] {
  if (key === "backspace") typed.pop();
  else if (key === "rune" && typed.length < MAX_CHARS) typed.push(text);
  return typed;
}

function view(id: string, title: string, typed: readonly string[]): Panel {
  return { id, title, lines: [`▸ ${"•".repeat(typed.length)}▏`], footer: FOOTER };
}
