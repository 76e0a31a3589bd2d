import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";
import type { ListedCommand } from "./slash-commands.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["enter", "send; while a turn runs the prompt waits for it"],
  ["shift+enter, ctrl+j, \\ enter", "a new line"],
  ["@", "complete a file name"],
  ["/", "complete a command"],
  ["!command", "run a line in a shell and tell the model; !!command tells nobody"],
  ["up, down", "earlier prompts; with an empty line up takes a waiting prompt back"],
  ["esc", "close the popup, then the notes, then cancel the turn"],
  ["ctrl+c", "clear the line, cancel the turn; twice leaves"],
  ["ctrl+d", "leave, when the line is empty"],
  ["ctrl+g", "write the prompt in your own editor"],
  ["ctrl+o", "unfold all cards, or fold them"],
  ["ctrl+z", "suspend; fg comes back"],
  ["pgup, pgdn, wheel", "scroll; ctrl+home and ctrl+end go to the ends"],
  ["ctrl+up, ctrl+down", "scroll to the prompt before or after"],
  ["f3, ctrl+shift+f", "search the transcript"],
];

/** `/help`: keys and commands. @param commands all there are */
export function helpCommand(desk: Desk, commands: () => readonly ListedCommand[]): BuiltinCommand {
  return {
    name: "help",
    description: "what keys and commands there are",
    run: () => {
      const rows = commands().map(({ name, description, extension }) => {
        return [`/${name}`, extension === undefined ? description : `[${extension}] ${description}`] as const;
      });
      const text = ["Keys", ...columns(KEYS), "", "Commands", ...columns(rows)].join("\n");
      desk.view.showFromStart(desk.view.text(text, "muted"));
    },
  };
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(20, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
