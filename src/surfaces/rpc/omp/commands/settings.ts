import * as v from "valibot";
import { readFields } from "../../fields.ts";
import type { Handlers } from "../context.ts";

const modeSchema = v.looseObject({ mode: v.picklist(["all", "one-at-a-time"]) });
const interruptSchema = v.looseObject({ mode: v.picklist(["immediate", "wait"]) });
const enabledSchema = v.looseObject({ enabled: v.boolean() });

/** Settings of this session alone; nothing of them is kept. */
export const settingCommands: Handlers = {
  set_steering_mode: ({ engine }, command) => {
    engine.agent.queue.modes.steer = readFields(modeSchema, command).mode;
  },
  set_follow_up_mode: ({ engine }, command) => {
    engine.agent.queue.modes.follow_up = readFields(modeSchema, command).mode;
  },
  set_interrupt_mode: ({ engine }, command) => {
    engine.agent.interrupts = readFields(interruptSchema, command).mode === "immediate";
  },
  set_auto_compaction: ({ engine }, command) => {
    engine.agent.compactor.isAutomatic = readFields(enabledSchema, command).enabled;
  },
  set_auto_retry: ({ engine }, command) => {
    engine.agent.retries.isEnabled = readFields(enabledSchema, command).enabled;
  },
  abort_retry: ({ engine }) => {
    engine.agent.retries.giveUp();
  },
};
