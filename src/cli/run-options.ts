import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ApprovalMode } from "../agent/approval.ts";
import { REASONING_LEVELS, type ReasoningLevel } from "../llm/port.ts";
import { CliError } from "./error.ts";
import { type FlagValues, type Parsed, parseFlags } from "./flags.ts";
import { RUN_FLAGS } from "./run-flags.ts";
import { type SessionChoice, sessionChoice } from "./session-choice.ts";

const DEFAULT_MAX_STEPS = 50;

export type RunMode = "interactive" | "print" | "stream" | "json" | "rpc";
/** The two languages of `zot rpc` (cli.md). */
export type Wire = "omp" | "zot";

/** A run as it was asked for, every value checked. */
export interface RunOptions {
  readonly mode: RunMode;
  /** Words of the command line, joined by blanks. */
  readonly words: string;
  /** Absolute. */
  readonly cwd: string;
  readonly ext: readonly string[];
  readonly scanForExtensions: boolean;
  /** Whether extensions are loaded again when a file of `ext` changes. */
  readonly watch: boolean;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly reasoning?: ReasoningLevel;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt: readonly string[];
  /** Names of the built-in tools to offer; undefined: all. */
  readonly tools?: readonly string[];
  readonly maxSteps: number;
  /** US dollars; undefined: no limit. */
  readonly maxCost?: number;
  readonly wire: Wire;
  /** False with `--no-ui`. */
  readonly showsUi: boolean;
  readonly approval: ApprovalMode;
  readonly useContextFiles: boolean;
  readonly session: SessionChoice;
}

/** Checks what `parseFlags` found. Throws `CliError`. */
export function runOptions({ values, positionals }: Parsed<typeof RUN_FLAGS>): RunOptions {
  const { provider, model, reasoning } = values;
  const systemPrompt = values["system-prompt"];
  const tools = toolNames(values);
  const maxCost = dollars("--max-cost", values["max-cost"]);
  return {
    wire: values.wire === "zot" ? "zot" : "omp",
    showsUi: values["no-ui"] !== true,
    ...(maxCost === undefined ? {} : { maxCost }),
    mode: modeOf(values),
    words: positionals.join(" "),
    cwd: directory(values.cwd),
    // Paths are where the person stands, whatever project they point at.
    ext: (values.ext ?? []).map((path) => resolve(path)),
    scanForExtensions: values["no-ext"] !== true,
    watch: watches(values),
    appendSystemPrompt: values["append-system-prompt"] ?? [],
    maxSteps: positiveInteger("--max-steps", values["max-steps"]) ?? DEFAULT_MAX_STEPS,
    approval: approvalOf(values),
    useContextFiles: values["no-context-files"] !== true,
    session: sessionChoice(values),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(values["base-url"] === undefined ? {} : { baseUrl: values["base-url"] }),
    ...(values["api-key"] === undefined ? {} : { apiKey: values["api-key"] }),
    ...(isReasoningLevel(reasoning) ? { reasoning } : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(tools === undefined ? {} : { tools }),
  };
}

export function parseRun(argv: readonly string[]): Parsed<typeof RUN_FLAGS> {
  return parseFlags(RUN_FLAGS, argv);
}

function modeOf(values: FlagValues<typeof RUN_FLAGS>): RunMode {
  if (values.mode === "rpc") return "rpc";
  if (values.json === true || values.mode === "json") return "json";
  if (values.stream === true) return "stream";
  return values.print === true || values.mode === "print" ? "print" : "interactive";
}

function watches(values: FlagValues<typeof RUN_FLAGS>): boolean {
  if (values.watch !== true) return false;
  if (modeOf(values) !== "interactive") throw new CliError("usage", "--watch is for the screen; this run has none");
  if (values.ext === undefined) throw new CliError("usage", "--watch needs an extension to watch: --ext PATH");
  return true;
}

function approvalOf(values: FlagValues<typeof RUN_FLAGS>): ApprovalMode {
  const isYolo = values["no-yolo"] !== true;
  if (values.approve === "ask" || values.approve === "write") return values.approve;
  if (isYolo) return "never";
  if (values.approve === "never") throw new CliError("usage", "--no-yolo and --approve never contradict each other");
  return "ask";
}

/** The absolute path of `--cwd`, or where we were started. */
export function directory(given: string | undefined): string {
  const path = resolve(given ?? ".");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CliError("usage", `--cwd ${path}: no such directory`);
  if (!stat.isDirectory()) throw new CliError("usage", `--cwd ${path}: not a directory`);
  return path;
}

function toolNames(values: FlagValues<typeof RUN_FLAGS>): readonly string[] | undefined {
  if (values["no-tools"] === true) return [];
  return values.tools
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function positiveInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new CliError("usage", `${flag} must be a whole number from 1; got ${JSON.stringify(text)}`);
  return value;
}

function dollars(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replace(/^\$/, ""));
  if (Number.isFinite(value) && value > 0) return value;
  throw new CliError("usage", `${flag} must be an amount of US dollars, for example 2.50; got ${JSON.stringify(text)}`);
}

function isReasoningLevel(text: string | undefined): text is ReasoningLevel {
  return REASONING_LEVELS.some((level) => level === text);
}
