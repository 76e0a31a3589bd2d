/** Behind a command that is too long to be repeated whole in its result (agent/tools/bash.ts). */
const LEFT_OUT = "\n... [rest of the command left out]";
const SUCCESS = "\n\n[exit 0]";
const CANCELLED = /\n\[cancelled\](?: \([^\n]*\))?$/;
const ENDING_CHARS = 8 * 1024;

/**
 * What a command said and how it ended. Its result starts with the command, which the head of the card shows already, and ends
 * with its status, which is no news when it is success. @param command undefined when nobody knows; then nothing is taken off
 */
export function commandOutput(command: string | undefined, text: string): string {
  if (command === undefined || !text.startsWith("$ ")) return text;
  const start = echoEnd(command, text);
  if (start === undefined) return text;
  const output = text.slice(start);
  return output.endsWith(SUCCESS) ? output.slice(0, -SUCCESS.length) : output;
}

/** Whether somebody ended it. @param text all of its result */
export function isCancelledCommand(text: string): boolean {
  return text === "cancelled" || CANCELLED.test(text.slice(-ENDING_CHARS));
}

/** Known by its text: a command may have blank lines in it. */
function echoEnd(command: string, text: string): number | undefined {
  const whole = `$ ${command}\n\n`;
  if (text.startsWith(whole)) return whole.length;
  const cut = text.indexOf(`${LEFT_OUT}\n\n`);
  if (cut < 0 || !command.startsWith(text.slice(2, cut))) return undefined;
  return cut + LEFT_OUT.length + 2;
}
