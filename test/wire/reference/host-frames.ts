import { AgentWorld } from "../../conformance/support/agent-world.ts";
import type { ReceivedFrame } from "../../support/host.ts";
import { Author } from "./author.ts";
import type { Example } from "./examples.ts";

const LIVE = new AbortController().signal;
const PROMPTED = [
  { calls: [{ name: "bash", args: { command: "true" } }] },
  { calls: [{ name: "weather", args: { city: "Berlin" } }] },
  { text: "Done." },
];

/**
 * Every kind of frame that a host sends, as two real extensions have read them from a real host with an agent above it:
 * the one of the reference, which speaks protocol 2, and one that speaks protocol 1.
 */
export async function hostFrames(greeting: readonly Example[], toolResult: Example): Promise<ReceivedFrame[]> {
  const authors: Author[] = [];
  const world = await AgentWorld.create({
    turns: PROMPTED,
    agent: { approval: "ask", approver: { ask: async () => "always_this_tool" } },
    extensions: (extensions) => {
      authors.push(new Author(extensions, greeting));
      extensions.puppet("elder");
    },
  });
  await using _ended = world;
  const [author] = authors;
  if (author === undefined) throw new Error("no author was written");
  await world.extensions.host.whenReady();
  await author.answerWith(toolResult);
  await world.say("How is the weather?");
  // Those who come back find the conversation open, and their state in it.
  await world.extensions.host.reload();
  await calls(author);
  await panel(author);
  await dialogs(author);
  await world.extensions.host.stop(2_000);
  return ["elder", author.name].flatMap((name) => world.extensions.received(name));
}

async function calls(author: Author): Promise<void> {
  const { world, name } = author;
  const { commands, tools, uris } = world.host;
  await author.answerWith({
    answers: "command_invoked",
    line: '{"type":"command_response","id":"c1","action":"noop"}',
  });
  await commands.invoke("deploy", "staging");
  await author.say('{"type":"register_uri_scheme","scheme":"notes","writable":true}');
  // Answers to these do not come, so each is told that nobody waits any more.
  const abort = new AbortController();
  const call = tools.call("weather", '{"city":"Paris"}', abort.signal);
  const read = uris.read("notes://monday", abort.signal);
  await world.frame(name, { type: "uri_request" });
  abort.abort();
  await Promise.all([call, read]);
  await author.answerWith({ answers: "uri_request", line: '{"type":"uri_result","id":"u1"}' });
  await uris.write("notes://monday", "# Tuesday", LIVE);
}

async function panel(author: Author): Promise<void> {
  const { panels } = author.world.host;
  await author.say('{"type":"open_panel","panel":{"id":"main"}}');
  panels.resize(80, 20);
  panels.key("rune", "a");
  panels.close();
}

async function dialogs(author: Author): Promise<void> {
  const { world, name } = author;
  const ask = (id: string, method: string, fields = ""): string =>
    `{"type":"extension_ui_request","id":"${id}","method":"${method}"${fields}}`;
  await author.say(
    ask("q1", "select", ',"options":["staging"]'),
    ask("q2", "confirm"),
    ask("q3", "input"),
    ask("q4", "editor", ',"timeout":1'),
    ask("q5", "ask", ',"questions":[{"id":"env","question":"Which?","options":[{"label":"staging"}]}]'),
  );
  const [select, confirm, input, , questions] = world.surface.asked;
  select?.answer({ kind: "value", value: "staging" });
  confirm?.answer({ kind: "confirmed", confirmed: true });
  input?.answer({ kind: "cancelled" });
  questions?.answer({ kind: "answers", answers: [{ id: "env", selectedOptions: ["staging"] }] });
  for (const id of ["q1", "q2", "q3", "q4", "q5"]) await world.frame(name, { type: "extension_ui_response", id });
}
