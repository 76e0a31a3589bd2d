import type { ConsolaInstance, LogObject } from "consola/core";
import { plainText } from "../surfaces/plain-text.ts";
import { usesColour } from "./colours.ts";
import { printToStderr } from "./stderr.ts";

type Level = "error" | "warn" | "info" | "log";

const COLOURS: Readonly<Partial<Record<Level, string>>> = { error: "\u001b[31m", warn: "\u001b[33m" };

/**
 * Lines for a human, on stderr, in the order in which they were said. consola does the levels and the throttling; it
 * is loaded with the first line, since most runs have none (bun.md §7).
 */
export class Terminal {
  #consola: Promise<ConsolaInstance> | undefined;
  #last: Promise<void> = Promise.resolve();

  /** What failed, where, and what to do next. */
  error(text: string): void {
    this.#say("error", text);
  }

  warn(text: string): void {
    this.#say("warn", text);
  }

  info(text: string): void {
    this.#say("info", text);
  }

  /** A line with no mark of ours. */
  line(text: string): void {
    this.#say("log", text);
  }

  /** Resolves when everything said so far is out. */
  flush(): Promise<void> {
    return this.#last;
  }

  #say(level: Level, text: string): void {
    this.#consola ??= load();
    const consola = this.#consola;
    this.#last = this.#last.then(async () => (await consola)[level](text));
  }
}

async function load(): Promise<ConsolaInstance> {
  const { createConsola } = await import("consola/core");
  return createConsola({ level: 4, throttle: 0, reporters: [{ log: write }] });
}

function write({ type, args }: LogObject): void {
  const text = plainText(args.join(" "));
  const mark = type === "log" ? "" : "zot: ";
  const colour = usesColour(2) ? COLOURS[levelOf(type)] : undefined;
  printToStderr(colour === undefined ? `${mark}${text}` : `${colour}${mark}${text}\u001b[0m`);
}

function levelOf(type: string): Level {
  return type === "error" || type === "warn" ? type : "log";
}
