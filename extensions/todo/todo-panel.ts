import type { Panel, PanelKey } from "zot/ext";
import type { Todo, TodoList } from "./todo-list.ts";

const BROWSING = "↑/↓ choose · enter done · d remove · a add · esc close";
const ADDING = "enter keeps it · backspace · an empty line goes back";

/** The panel: which todo is chosen, and the text of the one being written. */
export class TodoPanel {
  static readonly id = "todos";
  readonly #list: TodoList;
  readonly #atWork: () => number;
  #chosen = 0;
  /** Undefined while browsing. */
  #draft: string | undefined;

  /** @param atWork the id of the todo at work; 0 when there is none */
  constructor(list: TodoList, atWork: () => number) {
    this.#list = list;
    this.#atWork = atWork;
  }

  /** The panel as it is when it opens. */
  async opened(): Promise<Panel> {
    this.#chosen = 0;
    this.#draft = undefined;
    return await this.view();
  }

  /** What there is to see now. */
  async view(): Promise<Panel> {
    const todos = await this.#list.all();
    this.#chosen = Math.max(0, Math.min(this.#chosen, todos.length - 1));
    const lines = todos.length === 0 ? ["nothing to do"] : todos.map((todo, index) => this.#line(todo, index));
    const open = todos.filter((todo) => !todo.done).length;
    return {
      id: TodoPanel.id,
      title: `Todos (${open} open)`,
      lines: this.#draft === undefined ? lines : [...lines, `▸ ${this.#draft}▏`],
      footer: this.#draft === undefined ? BROWSING : ADDING,
    };
  }

  /** Acts on a key. */
  async press({ key, text }: PanelKey): Promise<void> {
    if (this.#draft === undefined) await this.#browse(key === "rune" ? text : key);
    else await this.#write(this.#draft, key, text);
  }

  async #browse(key: string): Promise<void> {
    const todo = (await this.#list.all())[this.#chosen];
    switch (key) {
      case "up":
        this.#chosen -= 1;
        break;
      case "down":
        this.#chosen += 1;
        break;
      case "a":
        this.#draft = "";
        break;
      case "enter":
      case " ":
        if (todo !== undefined) await this.#list.setDone(todo.id, !todo.done);
        break;
      case "d":
      case "delete":
        if (todo !== undefined) await this.#list.remove(todo.id);
        break;
    }
  }

  async #write(draft: string, key: string, text: string): Promise<void> {
    if (key === "rune") {
      this.#draft = draft + text;
    } else if (key === "backspace") {
      this.#draft = [...draft].slice(0, -1).join("");
    } else if (key === "enter") {
      this.#draft = undefined;
      if (draft.trim() !== "") await this.#list.add(draft);
    }
  }

  #line(todo: Todo, index: number): string {
    // `▸ ` makes the host draw the row as the chosen one.
    const mark = index === this.#chosen && this.#draft === undefined ? "▸" : " ";
    const note = todo.id === this.#atWork() && !todo.done ? "  ← at work" : "";
    return `${mark} ${todo.done ? "✓" : "□"} ${todo.text}${note}`;
  }
}
