// Shows an answer as it is written, with a tool of this program for the model and a human who says yes:
// bun src/client/examples/watch.ts 'call clock {"zone":"UTC"}' --provider offline --approve ask
import { type Frame, type HostTool, ZotClient } from "../index.ts";

const clock: HostTool = {
  name: "clock",
  description: "The time in a zone.",
  parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
  loadMode: "essential",
  run: ({ zone }) => `in ${String(zone)} it is ${new Date(0).toLocaleTimeString("en", { timeZone: String(zone) })}`,
};

async function main([question = 'call clock {"zone":"UTC"}', ...args]: readonly string[]): Promise<void> {
  await using zot = await ZotClient.start({
    command: process.env["ZOT"] ?? "zot",
    args,
    dialogs: {
      select: ({ title, options }) => {
        console.error(`(${title.split("\n")[0]}: yes)`);
        return options[0]?.label;
      },
    },
  });
  await zot.setHostTools([clock]);
  const events = zot.events();
  const { result } = await zot.prompt(question);
  for await (const event of events) {
    show(event);
    if (event.type === "agent_end") break;
  }
  console.log(`\n${(await result).status}`);
}

function show(event: Frame): void {
  if (event.type === "tool_execution_start") console.log(`[${String(event["toolName"])}]`);
  const step = event["assistantMessageEvent"];
  if (step === null || typeof step !== "object" || !("type" in step) || !("delta" in step)) return;
  if (step.type === "text_delta") process.stdout.write(String(step.delta));
}

void main(process.argv.slice(2));
