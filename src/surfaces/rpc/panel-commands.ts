import * as v from "valibot";
import type { Panels } from "../../host/contributions/panels.ts";
import type { Command } from "./command.ts";
import { RpcError } from "./error.ts";
import { readFields } from "./fields.ts";

const keySchema = v.looseObject({ key: v.string(), text: v.nullish(v.string(), "") });
const pasteSchema = v.looseObject({ text: v.string() });
const cells = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000));
const sizeSchema = v.looseObject({ width: cells, height: cells });

type PanelCommand = (panels: Panels, command: Command) => void;

/** What a client that shows panels sends back to the open one; the same on both wires. */
export const PANEL_COMMANDS: ReadonlyMap<string, PanelCommand> = new Map<string, PanelCommand>([
  [
    "panel_key",
    (panels, command) => {
      const { key, text } = readFields(keySchema, command);
      if (!panels.key(key, text)) throw new RpcError("no panel is open");
    },
  ],
  [
    "panel_paste",
    (panels, command) => {
      if (!panels.paste(readFields(pasteSchema, command).text)) throw new RpcError("no panel is open");
    },
  ],
  [
    "panel_resize",
    (panels, command) => {
      const { width, height } = readFields(sizeSchema, command);
      panels.resize(width, height);
    },
  ],
  ["panel_close", (panels) => panels.close()],
]);
