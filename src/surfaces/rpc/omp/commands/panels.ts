import { RpcError } from "../../error.ts";
import { PANEL_COMMANDS } from "../../panel-commands.ts";
import type { Handlers } from "../context.ts";

/** What a client that shows panels sends back to the open one (an addition of ours). */
export const panelCommands: Handlers = Object.fromEntries(
  [...PANEL_COMMANDS].map(([type, act]) => [
    type,
    ({ engine, surface }, command) => {
      if (surface?.showsPanels !== true) throw new RpcError("panels are off: send set_panels first");
      act(engine.host.panels, command);
    },
  ]) satisfies [string, Handlers[string]][],
);
