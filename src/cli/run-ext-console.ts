import { consoleToStderr } from "../sdk/console.ts";

/**
 * Moves console output to stderr, all but one thing: an extension without the SDK may well write its frames with
 * `console.log(JSON.stringify(frame))`, as it would under Node, and those must reach the host.
 */
export function keepFramesOnStdout(): void {
  const toStdout = console.log;
  consoleToStderr();
  const toStderr = console.log;
  console.log = (...items: unknown[]): void => {
    const [first] = items;
    if (items.length === 1 && typeof first === "string" && isFrame(first)) toStdout(first);
    else toStderr(...items);
  };
}

function isFrame(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  } catch {
    // Not JSON, so somebody's print and no frame.
    return false;
  }
}
