import { isRecord, numberIn, optionalTextIn, textIn } from "./frames.ts";

/** The transcript branch that is open (protocol 2). */
export interface SessionInfo {
  readonly id: string;
  /** Absent for a root session. */
  readonly parentId?: string;
  readonly path?: string;
  readonly cwd?: string;
  /** How many rows the fork shares with its parent; 0 when it is none. */
  readonly forkPoint: number;
}

/** What `hello_ack` says about the host (extension-host.md §2.4). */
export interface HostInfo {
  readonly protocolVersion: number;
  /** Version of the host program. */
  readonly version: string;
  readonly provider: string;
  readonly model: string;
  /** The user's project directory, absolute. The extension itself runs in its own directory. */
  readonly cwd: string;
  readonly extensionDir: string;
  /** Where the extension keeps its own files. */
  readonly dataDir: string;
  /** Of the moment of hello_ack; session events bring later ones. */
  readonly session?: SessionInfo;
  /** Additions to the protocol that this host offers, for example `ui`, `tool_update`, `log`. */
  readonly features: readonly string[];
}

/** Reads a `hello_ack`. A host that names no directories gets the one we run in. */
export function readHostInfo(ack: Readonly<Record<string, unknown>>): HostInfo {
  const extensionDir = optionalTextIn(ack, "extension_dir") ?? process.cwd();
  const features = Array.isArray(ack["features"]) ? ack["features"] : [];
  const session = readSession(ack["session"]);
  return {
    // A protocol 1 host may be older than the field.
    protocolVersion: numberIn(ack, "protocol_version") || 1,
    version: optionalTextIn(ack, "zot_version") ?? textIn(ack, "zut_version"),
    provider: textIn(ack, "provider"),
    model: textIn(ack, "model"),
    cwd: optionalTextIn(ack, "cwd") ?? process.cwd(),
    extensionDir,
    dataDir: optionalTextIn(ack, "data_dir") ?? extensionDir,
    features: features.filter((feature): feature is string => typeof feature === "string"),
    ...(session === undefined ? {} : { session }),
  };
}

/** Reads a `session` member; undefined when there is none. */
export function readSession(value: unknown): SessionInfo | undefined {
  if (!isRecord(value)) return undefined;
  const parentId = optionalTextIn(value, "parent_id");
  const path = optionalTextIn(value, "path");
  const cwd = optionalTextIn(value, "cwd");
  return {
    id: textIn(value, "id"),
    forkPoint: numberIn(value, "fork_point"),
    ...(parentId === undefined ? {} : { parentId }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
