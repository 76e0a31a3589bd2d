import { accountCommands } from "./account-commands.ts";
import { conversationCommands } from "./conversation-commands.ts";
import type { Desk } from "./desk.ts";
import { extensionCommands } from "./extension-commands.ts";
import { helpCommand } from "./help-command.ts";
import { modelCommands } from "./model-commands.ts";
import { screenCommands } from "./screen-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import type { SlashCommands } from "./slash-commands.ts";

/** Every command of our own that rests on something that exists. */
export function addCommands(commands: SlashCommands, desk: Desk): void {
  commands.add(
    helpCommand(desk, () => commands.list),
    ...accountCommands(desk),
    ...modelCommands(desk),
    ...conversationCommands(desk),
    ...sessionCommands(desk),
    ...extensionCommands(desk),
    ...screenCommands(desk),
  );
}
