/** One line of a client that is a command. */
export interface Command {
  readonly type: string;
  /** Whatever the client sent, to be sent back as it is; undefined when it sent none. */
  readonly id: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Characters of the line. */
  readonly size: number;
}

/** What a line of a client is. `detail` tells in words why it is no command. */
export type ParsedCommand =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "malformed"; readonly detail: string }
  /** JSON, but nothing that says what is wanted. */
  | { readonly kind: "untyped"; readonly detail: string; readonly id: unknown };

/** Reads one line that is not blank. */
export function parseCommand(line: string): ParsedCommand {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { kind: "malformed", detail: error instanceof Error ? error.message : String(error) };
  }
  if (!isRecord(value)) return { kind: "untyped", detail: `${kindOf(value)} is not an object`, id: undefined };
  const { type, id } = value;
  if (typeof type !== "string") return { kind: "untyped", detail: "the object has no type", id };
  return { kind: "command", command: { type, id, fields: value, size: line.length } };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
