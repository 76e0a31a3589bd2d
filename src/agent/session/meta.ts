import { SESSION_JSON_MAX_DEPTH } from "../../wire/limits.ts";
import { nestingDepth } from "../../wire/raw-json.ts";
import { rawMembers } from "./json.ts";
import { decodeTime, encodeTime } from "./time.ts";

/** The first row of a session (extension-host.md §6.3). A later one replaces it whole. */
export interface SessionMeta {
  readonly id: string;
  /** The project directory as the host held it. */
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
  /** RFC 3339. */
  readonly started: string;
  /** Of the host that wrote it. */
  readonly version: string;
  readonly title?: string;
  /** Id of the session that this one was forked from. */
  readonly parent?: string;
  /** How many messages were taken over from it. */
  readonly forkPoint?: number;
  readonly hideFromSessions?: boolean;
  /** Members that mean something to another host only, such as its goals: raw, kept on every rewrite. */
  readonly others: ReadonlyMap<string, string>;
}

/** What is known when a session begins. */
export interface SessionStart {
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
  readonly version: string;
}

/** These describe the place, not the conversation, and so belong to a fork at any point. */
const KEPT_BY_FORKS = new Set(["timezone", "timezone_offset"]);

export function newMeta(start: SessionStart): SessionMeta {
  return { id: crypto.randomUUID(), ...start, started: encodeTime(Date.now()), others: new Map() };
}

/** The metadata of a fork. Goals and the like hold only where the parent stands now (`isAtEnd`); titles never do. */
export function forkedMeta(
  parent: SessionMeta,
  start: Pick<SessionStart, "cwd" | "version">,
  forkPoint: number,
  isAtEnd: boolean,
): SessionMeta {
  const { provider, model } = parent;
  const others = [...parent.others].filter(([key]) => isAtEnd || KEPT_BY_FORKS.has(key));
  return {
    ...newMeta({ cwd: start.cwd, version: start.version, provider, model }),
    parent: parent.id,
    forkPoint,
    others: new Map(others),
  };
}

/** The value of the `meta` member, as JSON text. */
export function encodeMeta(meta: SessionMeta): string {
  const { id, cwd, model, provider, started, version } = meta;
  const head = JSON.stringify({
    id,
    cwd,
    model,
    provider,
    started,
    version,
    title: meta.title || undefined,
    parent: meta.parent || undefined,
    fork_point: meta.forkPoint || undefined,
    hide_from_sessions: meta.hideFromSessions || undefined,
  });
  const others = [...meta.others].map(([key, raw]) => `,${JSON.stringify(key)}:${raw}`);
  return `${head.slice(0, -1)}${others.join("")}}`;
}

/** Reads the `meta` member from its raw text; undefined when it is no object with an id. `json` must be valid. */
export function decodeMeta(json: string): SessionMeta | undefined {
  if (!json.startsWith("{")) return undefined;
  const others = rawMembers(json);
  const take = (key: string): unknown => {
    const raw = others.get(key);
    others.delete(key);
    return raw === undefined ? undefined : JSON.parse(raw);
  };
  const text = (key: string): string => {
    const value = take(key);
    return typeof value === "string" ? value : "";
  };
  const id = text("id");
  if (id === "") return undefined;
  const started = text("started");
  const [title, parent] = [text("title"), text("parent")];
  const forkPoint = take("fork_point");
  const isHidden = take("hide_from_sessions") === true;
  return {
    id,
    cwd: text("cwd"),
    provider: text("provider"),
    model: text("model"),
    started: decodeTime(started) === undefined ? encodeTime(0) : started,
    version: text("version"),
    ...(title === "" ? {} : { title }),
    ...(parent === "" ? {} : { parent }),
    ...(typeof forkPoint === "number" && Number.isSafeInteger(forkPoint) && forkPoint > 0 ? { forkPoint } : {}),
    ...(isHidden ? { hideFromSessions: true } : {}),
    others: new Map([...others].filter(([, raw]) => nestingDepth(raw) <= SESSION_JSON_MAX_DEPTH)),
  };
}
