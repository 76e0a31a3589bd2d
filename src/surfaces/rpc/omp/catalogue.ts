import type { FrameWriter } from "./frame-writer.ts";
import type { SlashCommands } from "./slash-commands.ts";

/** How often registrations are looked at, in ms: extensions register whenever they like. */
const LOOK_MS = 250;

/** Tells the client which slash commands there are: at the start, with another session, and when they change. */
export class Catalogue implements Disposable {
  readonly #writer: FrameWriter;
  readonly #slash: SlashCommands;
  readonly #revision: () => number;
  #announced = "";
  #seen = 0;
  readonly #timer: NodeJS.Timeout;

  /** @param revision changes whenever commands may have */
  constructor(writer: FrameWriter, slash: SlashCommands, revision: () => number) {
    this.#writer = writer;
    this.#slash = slash;
    this.#revision = revision;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  announce(): void {
    this.#seen = this.#revision();
    const commands = this.#slash.available;
    this.#announced = JSON.stringify(commands);
    this.#writer.event("available_commands_update", { commands });
  }

  /** Announces the commands if they are not those that were announced last. */
  refresh(): void {
    if (JSON.stringify(this.#slash.available) !== this.#announced) this.announce();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#revision() === this.#seen) return;
    this.#seen = this.#revision();
    this.refresh();
  }
}
