import { REASONING_LEVELS } from "../llm/port.ts";
import type { Flags } from "./flags.ts";

/** The flags of a run (cli.md). */
export const RUN_FLAGS = {
  print: { type: "boolean", short: "p", description: "run the prompt, print only the final answer, exit" },
  stream: { type: "boolean", description: "like --print, but print the text as it comes" },
  json: { type: "boolean", description: "print one JSON event a line" },
  mode: {
    type: "string",
    choices: ["interactive", "print", "json", "rpc"],
    description: "the long form of --print, --json and zot rpc",
  },
  wire: {
    type: "string",
    choices: ["omp", "zot"],
    description: "the frames of rpc: omp (default), or the line protocol",
  },
  "no-ui": { type: "boolean", description: "in rpc: extensions show nothing and ask nothing" },
  ext: {
    type: "string",
    short: "e",
    multiple: true,
    valueHint: "PATH",
    description: "load an extension for this run: a directory with extension.json, or a single file",
  },
  watch: { type: "boolean", description: "on the screen: reload when a file of an --ext changes, between turns" },
  "no-ext": {
    type: "boolean",
    aliases: ["no-extensions"],
    description: "do not look for installed or project extensions; --ext still counts",
  },
  provider: { type: "string", valueHint: "ID", description: "which provider; offline needs no key and no network" },
  model: { type: "string", valueHint: "ID", description: "which model; provider/id works too" },
  "base-url": { type: "string", valueHint: "URL", description: "another server that speaks the provider's API" },
  "api-key": { type: "string", valueHint: "KEY", description: "the key; it wins over the environment" },
  reasoning: { type: "string", choices: REASONING_LEVELS, description: "how hard a reasoning model thinks" },
  "system-prompt": { type: "string", valueHint: "TEXT", description: "replace the system prompt" },
  "append-system-prompt": {
    type: "string",
    multiple: true,
    valueHint: "TEXT",
    description: "add to the system prompt",
  },
  continue: { type: "boolean", short: "c", description: "go on with the newest session of this project" },
  resume: {
    type: "string",
    short: "r",
    valueHint: "ID",
    optionalValue: /^[0-9a-f][0-9a-f-]{3,}$/i,
    description: "go on with a session; without an id, choose one on the screen",
  },
  session: { type: "string", valueHint: "PATH", description: "the file of the session; made when it is not there" },
  "no-session": { type: "boolean", description: "keep nothing of this run" },
  cwd: { type: "string", valueHint: "DIR", description: "the project directory" },
  tools: { type: "string", valueHint: "LIST", description: "only these built-in tools, for example read,bash" },
  "no-tools": { type: "boolean", description: "no built-in tools; those of extensions follow --no-ext" },
  "max-steps": { type: "string", valueHint: "N", description: "model steps in one prompt (default 50)" },
  "max-cost": { type: "string", valueHint: "DOLLARS", description: "send no further request once this is spent" },
  approve: {
    type: "string",
    choices: ["ask", "write", "never"],
    description: "ask before tools run: before all, before those that change something, never (default)",
  },
  "no-yolo": { type: "boolean", description: "the same as --approve ask" },
  "no-context-files": { type: "boolean", description: "leave out AGENTS.md files" },
  help: { type: "boolean", short: "h", description: "show this help" },
  version: { type: "boolean", short: "v", description: "show the version" },
} as const satisfies Flags;
