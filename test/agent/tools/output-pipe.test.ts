import { expect, test } from "bun:test";
import { type OutputPipe, openOutputPipe } from "../../../src/agent/tools/bash/output-pipe.ts";

const posixOnly = test.skipIf(process.platform === "win32");

async function outputOf(pipe: OutputPipe, script: string): Promise<string> {
  const child = Bun.spawn(["/bin/sh", "-c", script], { stdio: ["ignore", pipe.target, pipe.target] });
  let text = "";
  await pipe.drain(child, async (chunk) => {
    text += Buffer.from(chunk).toString();
  });
  return text;
}

posixOnly("with mkfifo both streams are one pipe that has no name left", async () => {
  await using pipe = await openOutputPipe();
  expect(typeof pipe.target).toBe("number");
  expect(await outputOf(pipe, "echo a; echo b >&2; echo c; [ -p /dev/stdout ] && echo pipe")).toBe("a\nb\nc\npipe\n");
  expect(await Bun.file(pipe.path ?? "").exists()).toBeFalse();
});

posixOnly.each([null, "/nonexistent/mkfifo", "/bin/false"])(
  "with %p for mkfifo both streams still arrive",
  async (mkfifo) => {
    await using pipe = await openOutputPipe(mkfifo);
    expect(pipe.target).toBe("pipe");
    const text = await outputOf(pipe, "echo a; echo b >&2; sleep 0.05; echo c");
    expect(text.split("\n").sort()).toEqual(["", "a", "b", "c"]);
  },
);

posixOnly.each([undefined, null])(
  "stop ends the reading although somebody holds the pipe (mkfifo %p)",
  async (mkfifo) => {
    await using pipe = await openOutputPipe(mkfifo);
    const child = Bun.spawn(["/bin/sh", "-c", "echo a; exec sleep 300"], {
      stdio: ["ignore", pipe.target, pipe.target],
    });
    const first = Promise.withResolvers<string>();
    const drained = pipe.drain(child, async (chunk) => first.resolve(Buffer.from(chunk).toString()));
    expect(await first.promise).toBe("a\n");
    await pipe.stop();
    await drained;
    child.kill("SIGKILL");
    await child.exited;
  },
);

posixOnly.each([undefined, null])(
  "stop in the middle of a flood leaves no gap in what was taken (mkfifo %p)",
  async (mkfifo) => {
    await using pipe = await openOutputPipe(mkfifo);
    const child = Bun.spawn(["seq", "1", "1000000000"], { stdio: ["ignore", pipe.target, pipe.target] });
    const flowing = Promise.withResolvers<void>();
    let text = "";
    let chunks = 0;
    const drained = pipe.drain(child, async (chunk) => {
      text += Buffer.from(chunk).toString();
      chunks++;
      if (chunks !== 5) return;
      flowing.resolve();
      // Long enough for the runtime to read ahead behind our back.
      await Bun.sleep(100);
    });
    await flowing.promise;
    await pipe.stop();
    await drained;
    child.kill("SIGKILL");
    await child.exited;
    const lines = text.split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(lines.findIndex((line, index) => line !== String(index + 1))).toBe(-1);
  },
);
