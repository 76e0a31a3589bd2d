import type { IncomingFrame } from "./frames.ts";
import { numberIn, optionalTextIn, textIn } from "./frames.ts";

/** What a panel shows. The host wraps, clips and scrolls it; a line may carry colours, nothing else. */
export interface Panel {
  /** Unique within the extension. */
  readonly id: string;
  readonly title?: string;
  readonly lines?: readonly string[];
  readonly footer?: string;
}

/** `esc` is reserved: the host closes the panel itself and says so through `onPanelClose`. */
export type PanelKeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "enter"
  | "tab"
  | "backspace"
  | "delete"
  | "home"
  | "end"
  | "pageup"
  | "pagedown"
  | "esc"
  | "rune";

/** A key pressed while the panel has the focus (extension-host.md §5.2). */
export interface PanelKey {
  readonly panelId: string;
  /** A `PanelKeyName`; hosts to come may know more. */
  readonly key: PanelKeyName | (string & {});
  /** The character of a `rune`, else `""`. */
  readonly text: string;
}

/** How much room the panel's lines have. Protocol 2 only. */
export interface PanelSize {
  readonly panelId: string;
  /** Cells. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

export interface PanelHandlers {
  readonly key?: (key: PanelKey) => unknown;
  readonly close?: () => unknown;
  readonly resize?: (size: PanelSize) => unknown;
}

/** Calls what a panel frame asks for; gives the handler's result, a promise perhaps. */
export function handlePanelFrame(frame: IncomingFrame, handlers: PanelHandlers): unknown {
  const panelId = textIn(frame, "panel_id");
  switch (frame.type) {
    case "panel_key":
      return handlers.key?.({ panelId, key: textIn(frame, "key"), text: optionalTextIn(frame, "text") ?? "" });
    case "panel_resize":
      return handlers.resize?.({ panelId, width: numberIn(frame, "width"), height: numberIn(frame, "height") });
    default:
      return handlers.close?.();
  }
}
