import * as v from "valibot";
import { RpcError } from "../../error.ts";
import { readFields } from "../../fields.ts";
import { ANSWERED, type Handlers, succeed } from "../context.ts";

const EVENTS_TEXT = "events must be null or an array of non-empty event type strings";
const eventsSchema = v.nullable(v.array(v.pipe(v.string(), v.nonEmpty())));
const enabledSchema = v.looseObject({ enabled: v.boolean() });

/** What the two sides agree on: frames, events, dialogs, and what the client brings along. */
export const protocolCommands: Handlers = {
  negotiate_protocol: ({ writer }, command) => {
    const { protocolVersion } = command.fields;
    if (protocolVersion !== 2)
      throw new RpcError(`Unsupported RPC protocol version: ${JSON.stringify(protocolVersion)}`);
    succeed(writer, command, { protocolVersion });
    // This answer is still in the old protocol.
    writer.version = 2;
    return ANSWERED;
  },

  set_event_filter: ({ gate }, { fields }) => {
    const events = v.safeParse(eventsSchema, fields["events"]);
    if (!events.success) throw new RpcError(EVENTS_TEXT);
    const { messageUpdates = "full" } = fields;
    if (messageUpdates !== "full" && messageUpdates !== "delta") {
      throw new RpcError('messageUpdates must be "full" or "delta"');
    }
    gate.filter = events.output;
    gate.mode = messageUpdates;
    return { events: events.output, messageUpdates };
  },

  set_ask_dialog: ({ dialogs }, command) => {
    dialogs.drawsAsk = readFields(enabledSchema, command).enabled;
    return { enabled: dialogs.drawsAsk };
  },

  set_panels: ({ surface }, command) => {
    const { enabled } = readFields(enabledSchema, command);
    if (surface === undefined) throw new RpcError("there are no panels with --no-ui");
    surface.showsPanels = enabled;
    return { enabled };
  },

  set_host_tools: ({ hostTools, gate, engine }, { fields }) => {
    const { agent, host } = engine;
    const before = new Set(hostTools.discoverable);
    const own = new Set(hostTools.tools.map(({ name }) => name));
    const taken = new Set(agent.tools.map(({ name }) => name).filter((name) => !own.has(name)));
    const toolNames = hostTools.set(
      fields["tools"],
      (name) => taken.has(name) || host.tools.ownerOf(name) !== undefined,
    );
    const after = new Set(hostTools.discoverable);
    const notices = [
      ...[...before].filter((name) => !after.has(name)).map((name) => `host tool ${name} is gone`),
      ...[...after].filter((name) => !before.has(name)).map((name) => `host tool ${name} can be looked up`),
    ];
    for (const message of notices) gate.emit("notice", { level: "info", message, source: "host-tools" });
    return { toolNames };
  },

  set_host_uri_schemes: ({ hostUris }, { fields }) => ({ schemes: hostUris.set(fields["schemes"]) }),
};
