import type { EventPayload, SessionContext } from "../../wire/frames.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import type { Extension } from "../extension.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** What happened to the conversation (extension-host.md §6.1). */
export type SessionEvent =
  | "session_start"
  | "session_opened"
  | "session_switched"
  | "session_forked"
  | "session_compacted";

/** The conversation that is open, as extensions are told of it. */
export interface OpenSession {
  context(): SessionContext;
  /** The latest snapshot of one extension on this branch. */
  state(extension: string): RawJson | undefined;
}

/**
 * Tells extensions which conversation is open. Each gets its own state with it and nobody else's; an absent state means
 * that it has none, so no such event goes out without the look-up. Protocol 1 knows the bare event only.
 */
export class SessionEvents {
  readonly #subscriptions: Subscriptions;
  /** Those that have heard of a session at all, and so have missed nothing that came later. */
  readonly #told = new WeakSet<Extension>();
  #open: OpenSession | undefined;
  #latest: SessionEvent | undefined;

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  /** The conversation whose id goes into `hello_ack` of extensions that start now. */
  get open(): OpenSession | undefined {
    return this.#open;
  }

  /** @param session absent: there is none that an extension could come back to */
  emit(event: SessionEvent, session: OpenSession | undefined): void {
    this.#open = session;
    this.#latest = event;
    for (const extension of this.#subscriptions.observers(event)) {
      // One that is still registering is caught up when it is ready, and must not hear it twice (defect 35).
      if (extension.state === "ready") this.#send(extension, event);
    }
  }

  /**
   * Catches up an extension that has become ready, or says so after its silence was taken for it (defect 35): only what
   * it subscribed to, and only once. One that was reloaded finds its conversation open; one that is merely late missed
   * the start.
   */
  replay(extension: Extension): void {
    if (this.#latest === undefined || this.#told.has(extension)) return;
    const missed: SessionEvent[] = extension.isReload ? ["session_opened"] : ["session_start", this.#latest];
    for (const event of new Set(missed)) {
      if (this.#subscriptions.observers(event).includes(extension)) this.#send(extension, event);
    }
  }

  #send(extension: Extension, event: SessionEvent): void {
    this.#told.add(extension);
    extension.connection?.send("event", { event, ...this.#payload(extension) });
  }

  #payload(extension: Extension): EventPayload {
    if (extension.dialect === 1 || this.#open === undefined) return {};
    const state = this.#open.state(extension.name);
    return { session: this.#open.context(), ...(state === undefined ? {} : { state }) };
  }
}
