const ACK = '{"type":"hello_ack","protocol_version":1,"zot_version":"0","provider":"","model":"","cwd":"/"}\n';
const DEADLINE_MS = 20_000;

/** An extension that the bench runs without a host, as far as `ready`. */
export interface ReadyChild {
  readonly pid: number;
  /** Milliseconds from spawn to its `ready` frame. */
  readonly readyMs: number;
  /** Sends a frame and waits for the next one. */
  ask(frame: string): Promise<string>;
  /** Closes its stdin and waits for its end. */
  stop(): Promise<void>;
}

/** Starts an extension and waits until it is ready. Throws when it ends, or takes longer than 20 s, before that. */
export async function startChild(argv: readonly string[], cwd: string): Promise<ReadyChild> {
  const started = performance.now();
  const child = Bun.spawn([...argv], { cwd, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  child.stdin.write(ACK);
  await child.stdin.flush();
  const next = lineByLine(child.stdout, () => `${argv.join(" ")} ended early (or was killed after ${DEADLINE_MS} ms)`);
  try {
    while (!(await next()).includes('"type":"ready"'));
  } finally {
    clearTimeout(timer);
  }
  return {
    pid: child.pid,
    readyMs: performance.now() - started,
    ask: async (frame) => {
      child.stdin.write(`${frame}\n`);
      await child.stdin.flush();
      return await next();
    },
    stop: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}

/** The least that reading lines can be, for short ones that come one by one; ours is measured against it. */
function lineByLine(stdout: ReadableStream<Uint8Array>, atEnd: () => string): () => Promise<string> {
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return async () => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end !== -1) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return line;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(atEnd());
      text += decoder.decode(value, { stream: true });
    }
  };
}
