import type { Agent } from "../../../agent/agent.ts";
import type { SessionStore } from "../../../agent/session/store.ts";
import type { ExtensionHost } from "../../../host/host.ts";
import type { AuthFile } from "../../../llm/accounts/auth-file.ts";
import type { Models } from "../../../llm/accounts/models.ts";
import type { UserDialogs } from "../dialogs/user-dialogs.ts";
import type { LoadErrors } from "../extensions/load-errors.ts";
import type { Foreground } from "../screen/foreground.ts";
import type { Stage } from "../screen/stage.ts";
import type { Settings } from "../settings/settings.ts";
import type { Look } from "../theme/look.ts";
import type { ThemeChoice } from "../theme/theme-choice.ts";
import type { ThemeShelf } from "../theme/theme-shelf.ts";
import type { TranscriptView } from "../transcript/transcript.ts";
import type { WarningLines } from "../warning-lines.ts";

/** What our own slash commands work with. */
export interface Desk {
  readonly agent: Agent;
  readonly host: ExtensionHost;
  readonly models: Models;
  /** A model was named on the command line: conversations that are opened do not bring theirs. */
  readonly keepsModel: boolean;
  readonly auth: AuthFile;
  readonly settings: Settings;
  readonly sessions: SessionStore;
  readonly themes: ThemeShelf;
  readonly themeChoice: ThemeChoice;
  readonly look: Look;
  readonly stage: Stage;
  readonly view: TranscriptView;
  readonly foreground: Foreground;
  readonly dialogs: UserDialogs;
  /** What did not load, which stays on the screen whatever conversation is open. */
  readonly loadErrors: LoadErrors;
  readonly warnings: WarningLines;
  /** A line of zot's own in the transcript. */
  say(text: string): void;
  /** The same in red. */
  fail(text: string): void;
  /** Shows that something is under way until `work` has settled. */
  busy<T>(text: string, work: Promise<T>): Promise<T>;
  /** Runs another command, without arguments. */
  command(name: string): Promise<void>;
  leave(): void;
}
