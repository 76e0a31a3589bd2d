import { describe, expect, test } from "bun:test";
import { readdir, readlink, stat } from "node:fs/promises";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const MB = 1_000_000;
const isLinux = process.platform === "linux";

/** Resident memory of a process, in bytes. */
async function residentBytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

interface OpenFile {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
}

/** The files that hold output which nobody has read. */
async function spillFiles(pid: number): Promise<OpenFile[]> {
  const found: OpenFile[] = [];
  for (const fd of await readdir(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${fd}`;
    const name = await readlink(path).catch(() => "");
    if (!name.includes("zot-rpc-output-")) continue;
    const { size, mode } = await stat(path);
    found.push({ name, size, mode: mode & 0o777 });
  }
  return found;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await condition()) return;
    await Bun.sleep(10);
  }
  throw new Error("waited in vain");
}

describe.skipIf(!zotIsBuilt || !isLinux)("a client that does not read", () => {
  test("12 MB of answers wait in a private file, not in memory, and come in order", async () => {
    await using zot = await RpcProcess.start({ reads: false });
    const count = 2_500;
    for (let index = 0; index < count; index += 1) zot.send({ id: `s${index}`, type: "get_state" });
    await until(async () => (await spillFiles(zot.pid)).some(({ size }) => size > 8 * MB));
    const before = await residentBytes(zot.pid);
    for (let index = count; index < 2 * count; index += 1) zot.send({ id: `s${index}`, type: "get_state" });
    await until(async () => (await spillFiles(zot.pid)).some(({ size }) => size > 18 * MB));
    const [file] = await spillFiles(zot.pid);
    expect(file?.mode).toBe(0o600);
    // Its name is gone from the start: whatever ends us, nothing is left behind.
    expect(file?.name).toEndWith("(deleted)");
    expect((await residentBytes(zot.pid)) - before).toBeLessThan(30 * MB);

    // Everything is delivered before the end, however late the reader comes.
    await zot.closeInput();
    expect(await Promise.race([zot.exited, Bun.sleep(300).then(() => "waits")])).toBe("waits");
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("response").map(({ id }) => id)).toEqual(
      Array.from({ length: 2 * count }, (_, index) => `s${index}`),
    );
    expect(zot.badLines).toEqual([]);
    expect(await readdir(zot.tmp)).toEqual([]);
  });

  test("a long answer in many pieces costs it neither the agent nor the memory", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server, reads: false });
    zot.send({ id: "p", type: "prompt", message: "BIG:5000000" });
    // The agent is not held up: the model has been read to its end while nobody has read a byte of ours.
    await server.until((requests) => requests.length === 1);
    await until(async () => (await spillFiles(zot.pid)).some(({ size }) => size > 1 * MB));
    const peak = await residentBytes(zot.pid);
    expect(peak).toBeLessThan(400 * MB);
    zot.read();
    expect(await zot.result("p")).toMatchObject({ status: "completed" });
    expect(zot.badLines).toEqual([]);
  });

  test.each([true, false])("a signal ends us although nobody reads (stdin closed before: %p)", async (isClosed) => {
    await using zot = await RpcProcess.start({ reads: false });
    for (let index = 0; index < 2_500; index += 1) zot.send({ id: `s${index}`, type: "get_state" });
    await until(async () => (await spillFiles(zot.pid)).some(({ size }) => size > 8 * MB));
    if (isClosed) await zot.closeInput();
    zot.kill("SIGTERM");
    expect(await Promise.race([zot.exited, Bun.sleep(5_000).then(() => "still there")])).toBe(143);
    expect(await readdir(zot.tmp)).toEqual([]);
  });

  test("one that closes our stdout ends us with status 1, quietly", async () => {
    await using zot = await RpcProcess.start({ reads: false });
    await zot.closeOutput();
    for (let index = 0; index < 50; index += 1) zot.send({ id: `s${index}`, type: "get_state" });
    expect(await zot.exited).toBe(1);
    expect(zot.stderr).not.toContain("at ");
  });
});
