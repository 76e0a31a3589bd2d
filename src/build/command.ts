import { BuildError } from "./error.ts";

export interface CommandOptions {
  readonly cwd: string;
  /** Milliseconds; the child is killed when they are over. */
  readonly deadlineMs: number;
  /** Replaces the environment; by default the child gets ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Given to the child's stdin, which is then closed; by default stdin is empty. */
  readonly input?: string;
}

export interface CommandResult {
  /** 128 + n for a child that ended by signal n. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end and collects what it wrote. Throws `BuildError` when it cannot be started or is not done
 * within the deadline; any exit code is a result.
 */
export async function command(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = start(argv, options);
  // A grandchild may hold the pipes open after the child was killed, so the deadline must not wait for their end.
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    late.reject(new BuildError(`${argv.join(" ")}: not done within ${options.deadlineMs / 1000} s`));
  }, options.deadlineMs);
  const whole = Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited]);
  try {
    const [stdout, stderr, code] = await Promise.race([whole, late.promise]);
    return { code, stdout, stderr };
  } finally {
    clearTimeout(timer);
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

function start(argv: readonly string[], { cwd, env, input }: CommandOptions) {
  try {
    return Bun.spawn([...argv], {
      cwd,
      stdin: input === undefined ? "ignore" : Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
      ...(env === undefined ? {} : { env: { ...env } }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BuildError(`cannot start ${argv[0]}: ${reason}`);
  }
}

/** Like `command`, but a non-zero exit throws `BuildError` with everything the program wrote. */
export async function commandOrThrow(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const result = await command(argv, options);
  if (result.code === 0) return result;
  const output = `${result.stdout}${result.stderr}`.trim();
  throw new BuildError(`${argv.join(" ")} ended with exit code ${result.code}\n${output}`);
}
