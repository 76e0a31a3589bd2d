// Asks one question and prints the answer: bun src/client/examples/ask.ts "say hello" --provider offline
import { ZotClient } from "../index.ts";

async function main([question = "say hello", ...args]: readonly string[]): Promise<void> {
  await using zot = await ZotClient.start({ command: process.env["ZOT"] ?? "zot", args });
  console.log(await zot.ask(question));
}

void main(process.argv.slice(2));
