import type { HostWorld } from "../../support/host.ts";
import type { Example } from "./examples.ts";

/** Name in the reference's `hello`. */
const NAME = "reference";

/**
 * A real extension that says the lines of the reference, letter by letter. It begins with `greeting`; a command of its own
 * tells it what to say later, and with which line to answer the next request of a type.
 */
export class Author {
  readonly name = NAME;
  readonly world: HostWorld;

  /** Writes the extension; the world has to be started after that. */
  constructor(world: HostWorld, greeting: readonly Example[]) {
    this.world = world;
    const [hello, ...others] = greeting.map(({ line }) => line);
    world.python(NAME, PROGRAM);
    world.files(NAME, { "greeting.ndjson": [hello, ...DRIVE, ...others].map((line) => `${line}\n`).join("") });
  }

  /** Says lines; by the time this resolves the host has handled them. */
  async say(...lines: readonly string[]): Promise<void> {
    await this.#drive({ say: lines });
  }

  /** Answers the next request of the example's type with it, under the id of that request. */
  async answerWith({ line, answers }: Pick<Example, "line" | "answers">): Promise<void> {
    if (answers === undefined) throw new Error(`${line} answers nothing`);
    await this.#drive({ answers: { [answers]: line } });
  }

  async #drive(order: object): Promise<void> {
    const outcome = await this.world.host.commands.invoke("drive", JSON.stringify(order));
    if (outcome.kind !== "noop") throw new Error(`${JSON.stringify(order)}: ${JSON.stringify(outcome)}`);
  }
}

/** What it needs besides the reference: to be told what to do, and to be asked everything. */
const DRIVE = [
  '{"type":"register_command","name":"drive","description":"says what the test wants"}',
  '{"type":"subscribe","events":["session_opened"],"intercept":["turn_start","assistant_message","before_agent_start"]}',
];

/** Requests that it has no line for stay open, but for intercepts, which it lets pass. */
const PROGRAM = `
raw(open("greeting.ndjson").read())
lines = {}
for frame in frames():
    type = frame["type"]
    if type == "command_invoked" and frame["name"] == "drive":
        order = json.loads(frame["args"])
        for line in order.get("say", []):
            raw(line + "\\n")
        lines.update(order.get("answers", {}))
        respond(frame, action="noop")
    elif type in lines:
        line = lines.pop(type)
        raw(line.replace('"id":"%s"' % json.loads(line)["id"], '"id":"%s"' % frame["id"], 1) + "\\n")
        if json.loads(line)["type"] == "tool_update":
            result(frame, "done")
    elif type == "event_intercept":
        emit("event_intercept_response", id=frame["id"])
`;
