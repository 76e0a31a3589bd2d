import * as v from "valibot";

const Report = v.object({ text: v.string(), isError: v.boolean(), grownKb: v.number() });

/** Runs commands through the bash tool in a process of its own; see `bash-runner.ts`. */
export async function bashInChild(
  cwd: string,
  commands: readonly string[],
  env: Record<string, string> = {},
): Promise<v.InferOutput<typeof Report>> {
  const child = Bun.spawn(
    [process.execPath, Bun.fileURLToPath(new URL("./bash-runner.ts", import.meta.url)), ...commands],
    {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return v.parse(Report, JSON.parse(await new Response(child.stdout).text()));
}
