import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, command } from "./command.ts";
import { BuildError } from "./error.ts";

const DEADLINE_MS = 20_000;

// Syntax that only TypeScript has, so that a binary which cannot run source is found out.
const EXTENSION = `
import { extension, noop } from "zot/ext";
enum Letter { First = "a" }
const ext = extension({ name: "smoke", version: "1.0.0" });
ext.command("smoke", { description: Letter.First }, () => noop());
ext.run();
`;

const ACK = { type: "hello_ack", protocol_version: 1, zot_version: "0", provider: "", model: "", cwd: "/" };

/**
 * Tries a freshly built binary: that it starts, that its lazy parts load, and that it runs an extension from source.
 * Gives the first fault in words, or undefined. The faults that it is here for (oven-sh/bun#37770) end a program
 * halfway with exit code 0, so each try looks at what was printed and not only at the code.
 */
export async function smokeTest(binary: string, version: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "zot-smoke-"));
  try {
    return (
      (await tryVersion(binary, version, folder)) ??
      (await tryHelp(binary, folder)) ??
      (await trySource(binary, folder))
    );
  } catch (error) {
    if (error instanceof BuildError) return error.message;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryVersion(binary: string, version: string, cwd: string): Promise<string | undefined> {
  const result = await command([binary, "--version"], { cwd, deadlineMs: DEADLINE_MS });
  return expectation("--version", result, result.stdout.trim() === version);
}

async function tryHelp(binary: string, cwd: string): Promise<string | undefined> {
  const result = await command([binary, "--help"], { cwd, deadlineMs: DEADLINE_MS });
  return expectation("--help", result, result.stdout.includes("--print"));
}

async function trySource(binary: string, folder: string): Promise<string | undefined> {
  const entry = join(folder, "index.ts");
  writeFileSync(entry, EXTENSION);
  const input = `${JSON.stringify(ACK)}\n`;
  const result = await command([binary, "__run-ext", entry], { cwd: folder, deadlineMs: DEADLINE_MS, input });
  const order = ['"hello"', '"register_command"', '"ready"'].map((type) => result.stdout.indexOf(`{"type":${type}`));
  const inOrder = order.every((place, index) => place > (order[index - 1] ?? -1));
  return expectation("__run-ext", result, inOrder);
}

function expectation(name: string, result: CommandResult, printedRight: boolean): string | undefined {
  if (result.code === 0 && printedRight) return undefined;
  const output = `${result.stdout}${result.stderr}`.trim();
  return `zot ${name} gave exit code ${result.code} and printed: ${output === "" ? "nothing" : output}`;
}
