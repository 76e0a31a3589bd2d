import type { Attachment } from "../attachment.ts";
import type { Extension } from "../extension.ts";
import { Attention } from "./attention.ts";
import { Chrome } from "./chrome.ts";
import { Commands } from "./commands.ts";
import { Dialogs } from "./dialogs.ts";
import { Events } from "./events.ts";
import { Intercepts } from "./intercepts.ts";
import { Links } from "./links.ts";
import { Outcomes } from "./outcomes.ts";
import { Panels } from "./panels.ts";
import { Registry, type ReservedNames } from "./registry.ts";
import { SessionEvents } from "./session-events.ts";
import { Submits } from "./submits.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Tools } from "./tools.ts";
import { UiRequests } from "./ui-requests.ts";
import { Uris } from "./uris.ts";

/** Every room of this wing, furnished once; a generation of an extension comes in by frames and is swept out at its end. */
export class Contributions {
  readonly registry: Registry;
  readonly subscriptions = new Subscriptions();
  readonly uris = new Uris();
  readonly attention = new Attention();
  readonly chrome: Chrome;
  readonly panels: Panels;
  readonly dialogs: Dialogs;
  readonly submits: Submits;
  readonly uiRequests: UiRequests;
  readonly commands: Commands;
  readonly outcomes: Outcomes;
  readonly tools: Tools;
  readonly events: Events;
  readonly sessions: SessionEvents;
  readonly intercepts: Intercepts;
  readonly #attachment: Attachment;

  constructor(reserved: ReservedNames, attachment: Attachment) {
    this.#attachment = attachment;
    this.registry = new Registry(reserved);
    this.chrome = new Chrome(attachment);
    this.panels = new Panels(attachment, this.attention);
    this.dialogs = new Dialogs(attachment, this.attention);
    this.submits = new Submits(attachment, this.registry, this.chrome.notes);
    this.uiRequests = new UiRequests(this.dialogs, this.chrome, this.submits, new Links(attachment));
    this.commands = new Commands(this.registry);
    this.outcomes = new Outcomes(this.chrome.notes, this.panels, this.submits);
    this.tools = new Tools(this.registry, attachment);
    this.events = new Events(this.subscriptions);
    this.sessions = new SessionEvents(this.subscriptions);
    this.intercepts = new Intercepts(this.subscriptions, this.chrome.notes);
  }

  /** It was told to stop: nobody asks a human for it any more. */
  leaving(extension: Extension): void {
    this.panels.remove(extension);
    this.dialogs.remove(extension);
    this.submits.remove(extension);
  }

  /** Its link has ended: all it brought is void (extension-host.md §7.3). */
  gone(extension: Extension): void {
    this.leaving(extension);
    this.registry.remove(extension);
    this.subscriptions.remove(extension);
    this.uris.remove(extension);
    this.chrome.remove(extension);
  }

  /** It ended without being told to; the user hears of it once. */
  crashed(extension: Extension, exit: string): void {
    const remedy = this.#attachment.interactive ? "/reload-ext to restart" : "its commands and tools are gone";
    this.chrome.notes.report(extension, "error", `exited (${exit}); ${remedy}`);
  }
}
