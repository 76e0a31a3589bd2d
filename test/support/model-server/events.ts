/** One event before it becomes bytes. `isEnd` marks what a cut "before done" leaves out. */
export interface WireEvent {
  readonly name?: string;
  readonly data: string;
  readonly isEnd?: boolean;
}
