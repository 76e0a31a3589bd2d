import { TuiAltScreen, type Terminal as TuiTerminal } from "@earendil-works/pi-tui";

/** A terminal as the library wants it, of which only the size and the writing matter. */
export abstract class BareTerminal implements TuiTerminal {
  readonly kittyProtocolActive = false;
  abstract readonly columns: number;
  abstract readonly rows: number;

  abstract write(data: string): void;

  start = (): void => undefined;
  stop = (): void => undefined;
  drainInput = async (): Promise<void> => undefined;
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

/** Takes everything and shows nothing, for a part of the screen that is drawn by itself. */
class QuietTerminal extends BareTerminal {
  readonly columns: number;
  readonly rows: number;

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(): void {
    return;
  }
}

export function quietTui(columns: number, rows: number): TuiAltScreen {
  return new TuiAltScreen(new QuietTerminal(columns, rows), true);
}
