import { join } from "node:path";
import { display, extension, openPanel, type ToolReturn } from "zot/ext";
import { type Todo, TodoList } from "./todo-list.ts";
import { TodoPanel } from "./todo-panel.ts";

const ext = extension({ name: "todo", version: "1.1.0", protocol: 2 });

// The list is everybody's, so it is a file. Which todo is at work is this conversation's, so it is kept with that.
const atWork = ext.state({
  schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  initial: { id: 0 },
});

ext.onHello((host) => {
  const list = new TodoList(join(host.dataDir, "todos.json"));
  const panel = new TodoPanel(list, () => atWork.value.id);
  let keys: Promise<void> = Promise.resolve();
  let status = "";

  atWork.onChange(showAtWork);

  ext.command("todo", { description: "open the todo list, or add to it: /todo buy milk" }, async (text) => {
    if (text === "") return openPanel(await panel.opened());
    return display(`added ${line(await list.add(text))}`);
  });

  ext.tool(
    "todo",
    {
      description:
        "The user's todo list. list shows it; add needs text; start, done, reopen and remove need the id that list and add show. start the one you work on.",
      parameters: {
        type: "object",
        properties: {
          action: { enum: ["list", "add", "start", "done", "reopen", "remove"] },
          text: { type: "string", description: "One line, for add" },
          id: { type: "integer" },
        },
        required: ["action"],
      },
    },
    async ({ action, text = "", id = 0 }) => {
      const answer = await act(action, text, id);
      await redraw();
      return answer;
    },
  );

  // Keys come faster than files are written, and their order is all that gives them meaning.
  ext.onPanelKey(TodoPanel.id, (key) => {
    keys = keys.then(async () => {
      try {
        await panel.press(key);
        await redraw();
      } catch (error) {
        ext.notify("error", error instanceof Error ? error.message : String(error));
      }
    });
    return keys;
  });

  async function redraw(): Promise<void> {
    // Ignored by the host when the panel is closed.
    ext.renderPanel(await panel.view());
    await showAtWork();
  }

  /** The todo at work may have been finished with the panel, or by another zot: the list has the last word. */
  async function showAtWork(): Promise<void> {
    const todo = (await list.all()).find(({ id, done }) => id === atWork.value.id && !done);
    const text = todo === undefined ? "" : `${todo.id}. ${todo.text}`;
    if (text !== status) ext.status("at work", text);
    status = text;
  }

  async function act(
    action: "list" | "add" | "start" | "done" | "reopen" | "remove",
    text: string,
    id: number,
  ): Promise<ToolReturn> {
    switch (action) {
      case "list":
        return (await list.all()).map(line).join("\n") || "nothing to do";
      case "add":
        return `added ${line(await list.add(text))}`;
      case "start":
        return atWork.storing({ id }, `at work: ${line(await list.setDone(id, false))}`);
      case "remove":
        return `removed ${line(await list.remove(id))}`;
      default:
        return line(await list.setDone(id, action === "done"));
    }
  }
});

await ext.run();

function line({ id, text, done }: Todo): string {
  return `${id}. [${done ? "x" : " "}] ${text}`;
}
