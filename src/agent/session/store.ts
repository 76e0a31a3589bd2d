import { realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemText } from "../../host/error.ts";
import { SESSIONS_LISTED_MAX } from "../../wire/limits.ts";
import { makeFork } from "./fork.ts";
import { projectFolders, sessionsIn } from "./list.ts";
import { SessionLock } from "./lock.ts";
import { newMeta, type SessionMeta } from "./meta.ts";
import { newSessionPath, sessionFolder, sessionsRoot } from "./path.ts";
import { Session } from "./session.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import type { SessionSummary } from "./summary.ts";
import { sweep } from "./sweep.ts";
import type { Surroundings } from "./writer.ts";

export interface SessionStoreOptions {
  /** Where zot keeps its files, absolute (§6.2). */
  readonly home: string;
  /** The project directory, exactly as the host holds it. */
  readonly cwd: string;
  /** Version of this zot. */
  readonly version: string;
  /** False with `--no-session`: nothing is written, not even forks. Default true. */
  readonly saves?: boolean;
  /** Takes one sentence for the user. */
  warn(text: string): void;
}

/** Which model a new session begins with. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
}

/** A session, or why there is none, in words for the user. */
export type Opening = { readonly session: Session } | { readonly fault: string };

/** How many ids an ambiguous one is answered with. */
const CANDIDATES_NAMED = 5;

/** The sessions of one project directory (extension-host.md §6). */
export class SessionStore {
  readonly #home: string;
  readonly #surroundings: Surroundings;

  constructor({ home, cwd, version, saves = true, warn }: SessionStoreOptions) {
    this.#home = home;
    this.#surroundings = { folder: sessionFolder(home, cwd), cwd, version, saves, warn };
  }

  /** A session without a file: that is made with its first row, so that an empty one leaves nothing behind. */
  create(model: ModelChoice, path = newSessionPath(this.#surroundings.folder, new Date())): Session {
    const { cwd, version } = this.#surroundings;
    const meta = newMeta({ cwd, version, provider: model.provider, model: model.model });
    return new Session({ path, meta, origin: "new" }, this.#surroundings);
  }

  /** The session of this project that was used last; undefined when there is none. A fork of it while another zot has it. */
  async continueNewest(): Promise<Session | undefined> {
    for await (const { path, hasContent } of sessionsIn(this.#surroundings.folder)) {
      if (!hasContent) continue;
      const opening = await this.#resume(path);
      if ("session" in opening) return opening.session;
      this.#surroundings.warn(opening.fault);
    }
    return undefined;
  }

  /** The session in the file at `path` (absolute), which is made when it is not there. */
  async open(path: string, model: ModelChoice): Promise<Opening> {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return { session: this.create(model, path) };
      if (!stat.isFile()) return { fault: `session ${path}: not a file` };
      // An empty file is as good as none.
      return await this.#resume(realpathSync(path), model);
    } catch (error) {
      return { fault: `session ${path}: ${systemText(error)}` };
    }
  }

  /** The session whose id is `id` or begins with it: of this project, else of any. */
  async byId(id: string): Promise<Opening> {
    const found = await this.#find(id);
    const [first, ...others] = found;
    if (first === undefined) return { fault: `no session with the id ${id}` };
    if (others.length === 0) return this.#resume(first.path);
    const named = found.slice(0, CANDIDATES_NAMED).map((summary) => summary.id);
    return { fault: `several sessions have an id that begins with ${id}: ${named.join(", ")}` };
  }

  /** Sessions to choose from, last used first (§6.4): a bounded number. */
  async list(): Promise<SessionSummary[]> {
    const summaries: SessionSummary[] = [];
    for await (const summary of sessionsIn(this.#surroundings.folder)) {
      if (!summary.isHidden && summary.hasContent) summaries.push(summary);
      if (summaries.length === SESSIONS_LISTED_MAX) break;
    }
    return summaries;
  }

  async #find(id: string): Promise<SessionSummary[]> {
    if (id === "") return [];
    const { folder } = this.#surroundings;
    const here = await matching(id, [folder]);
    if (here.length > 0) return here;
    const others = projectFolders(sessionsRoot(this.#home)).filter((other) => other !== folder);
    return matching(id, others);
  }

  /** `model` allows an empty file, which becomes a new session. */
  async #resume(path: string, model?: ModelChoice): Promise<Opening> {
    const lock = SessionLock.acquire(path);
    let snapshot: Snapshot;
    try {
      snapshot = await readSnapshot(path);
      if (snapshot.rows === 0 && (snapshot.end > 0 || model === undefined)) {
        throw new Error("there is no session in it");
      }
    } catch (error) {
      if (lock instanceof SessionLock) lock[Symbol.dispose]();
      return { fault: `session ${path}: ${systemText(error)}` };
    }
    const { warn } = this.#surroundings;
    if (snapshot.damage !== undefined) warn(snapshot.damage);
    const meta = snapshot.meta ?? this.#lostMeta(path, snapshot, model);
    if (lock === "busy") return { session: await this.#forkBusy(path, meta, snapshot) };
    if (dirname(path) === this.#surroundings.folder) sweep(dirname(path));
    return { session: new Session({ path, meta, origin: "resumed", snapshot, lock }, this.#surroundings) };
  }

  /** Two writers would each know half of the conversation (§6.4 [REQ]). */
  async #forkBusy(path: string, meta: SessionMeta, snapshot: Snapshot): Promise<Session> {
    const { contents, end } = snapshot;
    const source = { meta, contents, file: { path, end } };
    const fork = await makeFork(source, contents.entries.length, this.#surroundings);
    this.#surroundings.warn(`another zot has session ${path} open; this one goes on in a fork of it: ${fork.path}`);
    return Session.fromFork(fork, this.#surroundings);
  }

  /** The same each time it is asked, as long as nobody writes a new one: the name of the file stands in for the id. */
  #lostMeta(path: string, { end }: Snapshot, model: ModelChoice | undefined): SessionMeta {
    const { cwd, version } = this.#surroundings;
    const meta = newMeta({ cwd, version, provider: model?.provider ?? "", model: model?.model ?? "" });
    return end === 0 ? meta : { ...meta, id: basename(path, ".jsonl") };
  }
}

/** The one session with this id, else all whose ids begin with it. */
async function matching(id: string, folders: readonly string[]): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (const folder of folders) {
    for await (const summary of sessionsIn(folder)) {
      if (summary.id === id) return [summary];
      if (summary.id.startsWith(id)) found.push(summary);
    }
  }
  return found;
}
