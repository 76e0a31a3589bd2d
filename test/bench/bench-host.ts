import { join } from "node:path";
import { BuildError } from "../../src/build/error.ts";
import { binary } from "../../src/build/project.ts";
import { ExtensionHost } from "../../src/host/host.ts";
import { HeadlessSurface } from "../../src/surfaces/headless.ts";

/** A host with the extensions in these directories, all ready. Dispose it to stop them. */
export async function benchHost(folder: string, extensions: readonly string[]): Promise<ExtensionHost> {
  const host = new ExtensionHost({
    explicit: extensions,
    scan: false,
    cwd: folder,
    home: join(folder, "home"),
    version: "bench",
    env: process.env,
    sourceRunner: [binary, "__run-ext"],
    reserved: { commands: new Set(), tools: new Set() },
    surface: new HeadlessSurface((line) => console.error(line)),
    model: () => ({ provider: "offline", model: "offline" }),
  });
  await host.start();
  await host.whenReady();
  const up = host.extensions.filter(({ state }) => state === "ready").length;
  if (up !== extensions.length) {
    const errors = host.loadErrors.map(({ text }) => text).join("\n");
    await host.stop(0);
    throw new BuildError(`${up} of ${extensions.length} extensions are ready\n${errors}`);
  }
  return host;
}

/** One tool call. Throws when it is not answered properly. */
export async function callTool(host: ExtensionHost, tool: string, signal: AbortSignal): Promise<void> {
  const { content, isError } = await host.tools.call(tool, '{"text":"hello"}', signal);
  if (isError) throw new BuildError(`the call of ${tool} failed: ${JSON.stringify(content)}`);
}
