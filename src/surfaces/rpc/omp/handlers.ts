import { accountCommands } from "./commands/accounts.ts";
import { asideCommands } from "./commands/aside.ts";
import { modelCommands } from "./commands/model.ts";
import { panelCommands } from "./commands/panels.ts";
import { promptCommands } from "./commands/prompt.ts";
import { protocolCommands } from "./commands/protocol.ts";
import { sessionCommands } from "./commands/session.ts";
import { settingCommands } from "./commands/settings.ts";
import { shellCommands } from "./commands/shell.ts";
import { stateCommands } from "./commands/state.ts";
import { subagentCommands } from "./commands/subagents.ts";
import type { Handler } from "./context.ts";

/** Every command of the omp wire that there is. A `Map`, so that a command called `constructor` finds nothing. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    ...protocolCommands,
    ...promptCommands,
    ...stateCommands,
    ...modelCommands,
    ...settingCommands,
    ...shellCommands,
    ...sessionCommands,
    ...subagentCommands,
    ...accountCommands,
    ...asideCommands,
    ...panelCommands,
  }),
);
