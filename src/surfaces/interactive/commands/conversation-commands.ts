import { askAside } from "../../../agent/side-question.ts";
import { SideAnswer } from "../side/side-answer.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

/** Commands that are about the conversation itself. */
export function conversationCommands(desk: Desk): BuiltinCommand[] {
  return [
    { name: "clear", description: "forget the conversation and start again", run: () => clear(desk) },
    {
      name: "compact",
      hint: "[what matters]",
      description: "replace most of the conversation by a summary",
      run: (args) => compact(desk, args),
    },
    {
      name: "btw",
      hint: "question",
      description: "ask besides the task; leaves no trace in it",
      run: (args) => aside(desk, args),
    },
  ];
}

async function clear({ agent, host }: Desk): Promise<void> {
  await agent.clear();
  host.chrome.notes.dismiss();
}

/** How it goes and what it comes to is shown where it happens, in the transcript. */
async function compact({ agent, fail }: Desk, instructions: string): Promise<void> {
  if (agent.busy) {
    fail("the conversation cannot be summarised while a turn runs; esc cancels it");
    return;
  }
  await agent.compact(instructions);
}

async function aside(desk: Desk, question: string): Promise<void> {
  const { agent, foreground, look, view, stage } = desk;
  if (question === "") {
    desk.fail("/btw needs a question: /btw what did we decide about the cache?");
    return;
  }
  const abort = new AbortController();
  const answer = new SideAnswer({
    look,
    highlighter: view.highlighter,
    markdown: view.markdown,
    question,
    closed: () => {
      abort.abort();
      foreground.close(answer);
      stage.redraw();
    },
  });
  foreground.open(answer);
  stage.redraw();
  const delta = (text: string): void => {
    answer.append(text);
    stage.redraw();
  };
  answer.end(await askAside(agent, question, { delta }, abort.signal));
  stage.redraw();
}
