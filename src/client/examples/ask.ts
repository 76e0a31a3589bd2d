// Asks one question and prints the answer: bun src/client/examples/ask.ts "say hello" --provider offline
import { ZotClient } from "../index.ts";

const [question = "say hello", ...args] = process.argv.slice(2);

await using zot = await ZotClient.start({ command: process.env["ZOT"] ?? "zot", args });
console.log(await zot.ask(question));
