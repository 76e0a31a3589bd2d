import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** A child process with a session; it is killed and reaped at the end of the scope. */
export class Child implements AsyncDisposable {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #lines: AsyncGenerator<string>;

  constructor(argv: readonly string[]) {
    this.#process = Bun.spawn([...argv], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    this.#lines = linesOf(this.#process.stdout);
  }

  static run(home: string, action: string, path = ""): Child {
    return new Child([process.execPath, CHILD, home, action, path]);
  }

  /** The same under `sh`, which runs `setup` first. */
  static runAfter(setup: string, home: string, action: string): Child {
    return new Child(["sh", "-c", `${setup}; exec "$@"`, "sh", process.execPath, CHILD, home, action]);
  }

  /** The next line of its stdout; rejects with its stderr when there is none. */
  async line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done === true) throw new Error(`the child ended: ${await new Response(this.#process.stderr).text()}`);
    return next.value;
  }

  /** SIGKILL; resolves, once it is gone, with the lines that were still to be read. */
  async kill(): Promise<string[]> {
    this.#process.kill("SIGKILL");
    await this.#process.exited;
    return Array.fromAsync(this.#lines);
  }

  /** Ends its stdin and waits for its end. */
  async finish(): Promise<string> {
    await this.#process.stdin.end();
    await this.#process.exited;
    return new Response(this.#process.stderr).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
