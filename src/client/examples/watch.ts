// Shows an answer as it is written, with a tool of this program for the model and a human who says yes:
// bun src/client/examples/watch.ts "what time is it?" --approve ask
import { ZotClient } from "../index.ts";

const [question = 'call clock {"zone":"UTC"}', ...args] = process.argv.slice(2);

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

await zot.setHostTools([
  {
    name: "clock",
    description: "The time in a zone.",
    parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
    loadMode: "essential",
    run: ({ zone }) => `in ${String(zone)} it is ${new Date(0).toLocaleTimeString("en", { timeZone: String(zone) })}`,
  },
]);

const events = zot.events();
const { result } = await zot.prompt(question);
for await (const event of events) {
  if (event.type === "message_update") {
    const step = event["assistantMessageEvent"];
    if (step !== null && typeof step === "object" && "delta" in step && "type" in step && step.type === "text_delta") {
      process.stdout.write(String(step.delta));
    }
  }
  if (event.type === "tool_execution_start") console.log(`[${String(event["toolName"])}]`);
  if (event.type === "agent_end") break;
}
console.log(`\n${(await result).status}`);
