// Run as a process of its own by proxy.test.ts: what a real environment does to a request can only be seen in one.

import { openModel } from "../../src/llm/open.ts";
import { ask } from "./asking.ts";

const [provider = "", baseUrl = ""] = process.argv.slice(2);
const env = process.env;
const model = await openModel({ provider, model: "fake", baseUrl, apiKey: "test-key", userAgent: "zot/test", env });
console.log((await ask(model)).text);
