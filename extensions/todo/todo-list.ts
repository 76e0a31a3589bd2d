import { readFile, rename, rm, writeFile } from "node:fs/promises";

const MAX_TODOS = 500;
const MAX_TEXT = 500;

export interface Todo {
  /** Never used again, so that the model cannot hit another todo with an old number. */
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

interface Stored {
  readonly nextId: number;
  readonly todos: readonly Todo[];
}

/**
 * The list in a file. It is read before every change, since several zot may share the file, and written to one side and
 * renamed, so that whoever reads it finds a whole one. Changes of this process wait for each other.
 */
export class TodoList {
  readonly #path: string;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws when the file is there and is no list. */
  async all(): Promise<readonly Todo[]> {
    return (await this.#read()).todos;
  }

  async add(text: string): Promise<Todo> {
    const line = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT);
    if (line === "") throw new Error("a todo needs a text");
    return await this.#change(({ nextId, todos }) => {
      if (todos.length >= MAX_TODOS) throw new Error(`the list is full (${MAX_TODOS}); remove something first`);
      const todo = { id: nextId, text: line, done: false };
      return { result: todo, stored: { nextId: nextId + 1, todos: [...todos, todo] } };
    });
  }

  /** Throws when there is no such todo. */
  async setDone(id: number, done: boolean): Promise<Todo> {
    return await this.#change(({ nextId, todos }) => {
      const todo = { ...find(todos, id), done };
      return { result: todo, stored: { nextId, todos: todos.map((other) => (other.id === id ? todo : other)) } };
    });
  }

  /** Throws when there is no such todo. */
  async remove(id: number): Promise<Todo> {
    return await this.#change(({ nextId, todos }) => ({
      result: find(todos, id),
      stored: { nextId, todos: todos.filter((other) => other.id !== id) },
    }));
  }

  async #change(change: (now: Stored) => { result: Todo; stored: Stored }): Promise<Todo> {
    const changed = this.#tail.then(async () => {
      const { result, stored } = change(await this.#read());
      await this.#write(stored);
      return result;
    });
    // A change that fails is its caller's business and must not stop the next one.
    this.#tail = changed.catch(() => undefined);
    return await changed;
  }

  async #read(): Promise<Stored> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return { nextId: 1, todos: [] };
      throw error;
    }
    const stored: unknown = parse(text);
    if (isStored(stored)) return stored;
    // Starting over would throw away what somebody may still want to repair.
    throw new Error(`${this.#path} is no todo list; repair it or remove it`);
  }

  async #write(stored: Stored): Promise<void> {
    const fresh = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(fresh, `${JSON.stringify(stored, null, 2)}\n`);
      await rename(fresh, this.#path);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }
}

function find(todos: readonly Todo[], id: number): Todo {
  const todo = todos.find((other) => other.id === id);
  if (todo === undefined) throw new Error(`there is no todo ${id}`);
  return todo;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so no list either: the caller says so and names the file.
    return undefined;
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null || !("nextId" in value && "todos" in value)) return false;
  return Number.isInteger(value.nextId) && Array.isArray(value.todos) && value.todos.every(isTodo);
}

function isTodo(value: unknown): value is Todo {
  if (typeof value !== "object" || value === null || !("id" in value && "text" in value && "done" in value))
    return false;
  return Number.isInteger(value.id) && typeof value.text === "string" && typeof value.done === "boolean";
}
