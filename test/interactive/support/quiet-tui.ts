import { TuiAltScreen, type Terminal as TuiTerminal } from "@earendil-works/pi-tui";

/** A terminal that takes everything and shows nothing, for a part of the screen that is drawn by itself. */
class QuietTerminal implements TuiTerminal {
  readonly kittyProtocolActive = false;
  readonly columns: number;
  readonly rows: number;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  start = (): void => undefined;
  stop = (): void => undefined;
  drainInput = async (): Promise<void> => undefined;
  write = (): void => undefined;
  moveBy = (): void => undefined;
  hideCursor = (): void => undefined;
  showCursor = (): void => undefined;
  clearLine = (): void => undefined;
  clearFromCursor = (): void => undefined;
  clearScreen = (): void => undefined;
  setTitle = (): void => undefined;
  setProgress = (): void => undefined;
  setProgramStatus = (): void => undefined;
}

export function quietTui(columns: number, rows: number): TuiAltScreen {
  return new TuiAltScreen(new QuietTerminal(columns, rows), true);
}
