import { join } from "node:path";
import { display, extension, openPanel } from "zot/ext";
import { type Todo, TodoList } from "./todo-list.ts";
import { TodoPanel } from "./todo-panel.ts";

const ext = extension({ name: "todo", version: "1.0.0" });

ext.onHello((host) => {
  const list = new TodoList(join(host.dataDir, "todos.json"));
  const panel = new TodoPanel(list);
  let keys: Promise<void> = Promise.resolve();

  ext.command("todo", { description: "open the todo list, or add to it: /todo buy milk" }, async (text) => {
    if (text === "") return openPanel(await panel.opened());
    return display(`added ${line(await list.add(text))}`);
  });

  ext.tool(
    "todo",
    {
      description:
        "The user's todo list. list shows it; add needs text; done, reopen and remove need the id that list and add show.",
      parameters: {
        type: "object",
        properties: {
          action: { enum: ["list", "add", "done", "reopen", "remove"] },
          text: { type: "string", description: "One line, for add" },
          id: { type: "integer" },
        },
        required: ["action"],
      },
    },
    async ({ action, text = "", id = 0 }) => {
      const answer = await act(action, text, id);
      // Ignored by the host when the panel is closed.
      ext.renderPanel(await panel.view());
      return answer;
    },
  );

  // Keys come faster than files are written, and their order is all that gives them meaning.
  ext.onPanelKey(TodoPanel.id, (key) => {
    keys = keys.then(async () => {
      try {
        await panel.press(key);
        ext.renderPanel(await panel.view());
      } catch (error) {
        ext.notify("error", error instanceof Error ? error.message : String(error));
      }
    });
    return keys;
  });

  async function act(action: "list" | "add" | "done" | "reopen" | "remove", text: string, id: number): Promise<string> {
    switch (action) {
      case "list":
        return (await list.all()).map(line).join("\n") || "nothing to do";
      case "add":
        return `added ${line(await list.add(text))}`;
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
