import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { openScreen } from "../../test/interactive/support/screen.ts";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { HostWorld } from "../../test/support/host.ts";
import { type TempDir, tempDir } from "../../test/support/temp-dir.ts";
import { zotIsBuilt } from "../../test/support/zot.ts";
import { seal, unseal } from "./seal.ts";

setDefaultTimeout(30_000);

const PASSPHRASE = "correct horse · 電池";
const PLAIN = "API_KEY=sk-12345\n";
const LIVE = new AbortController().signal;
const SEAL = { action: "seal", path: "keys.env" };
const OPEN = { action: "open", path: "keys.env.sealed" };

describe("sealing", () => {
  test.each([
    ["nothing", new Uint8Array()],
    ["a text", Buffer.from(PLAIN)],
    ["any bytes", Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7_919) % 256)],
  ])("gives back %s, from text in rows", async (_what, plain) => {
    const sealed = await seal(plain, PASSPHRASE);
    expect(sealed).toMatch(/^sealed with a passphrase by [^\n]*\n(?:[\w+/=]{1,76}\n)+$/);
    expect(Buffer.from(await unseal(sealed.replaceAll("\n", "\r\n"), PASSPHRASE))).toEqual(Buffer.from(plain));
  });

  test("never gives the same twice", async () => {
    expect(await seal(Buffer.from(PLAIN), "x")).not.toBe(await seal(Buffer.from(PLAIN), "x"));
  });

  test("opens for its own passphrase only, and only what was not changed", async () => {
    const sealed = await seal(Buffer.from(PLAIN), PASSPHRASE);
    await expect(unseal(sealed, "correct horse")).rejects.toThrow("wrong passphrase, or the file was changed");
    const [header = "", body = ""] = sealed.split("\n");
    const changed = Buffer.from(body, "base64");
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await expect(unseal(`${header}\n${changed.toString("base64")}`, PASSPHRASE)).rejects.toThrow("was changed");
    for (const text of ["", PLAIN, `${header}\n`, `${header}\nAAAA`]) {
      await expect(unseal(text, PASSPHRASE)).rejects.toThrow("this is no sealed file");
    }
  });
});

/** A project with one file to seal. */
async function project(): Promise<TempDir> {
  const dir = await tempDir();
  await Bun.write(join(dir.path, "keys.env"), PLAIN);
  return dir;
}

function call(ext: ExtensionDriver, args: object): Promise<Frame> {
  ext.send({ type: "tool_call", id: "t1", name: "sealed_file", args });
  return ext.next({ type: "tool_result", id: "t1" });
}

const textOf = (frame: Frame): string => String(Object([frame["content"]].flat()[0]).text);

describe("secret on a host with dialogs", () => {
  async function started(dir: TempDir): Promise<ExtensionDriver> {
    const ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: dir.path, features: ["ui", "log"] });
    return ext;
  }

  async function type(ext: ExtensionDriver, answer: object): Promise<void> {
    const { id, ...asked } = await ext.next({ type: "extension_ui_request", method: "input" });
    expect(asked).toMatchObject({ secret: true });
    ext.send({ type: "extension_ui_response", id: String(id), ...answer });
  }

  test("seals, opens, and says nothing of the passphrase", async () => {
    await using dir = await project();
    await using ext = await started(dir);
    const sealed = call(ext, SEAL);
    await type(ext, { value: PASSPHRASE });
    await type(ext, { value: PASSPHRASE });
    expect(textOf(await sealed)).toBe("keys.env.sealed is written; keys.env is still there");
    expect(await readFile(join(dir.path, "keys.env.sealed"), "utf8")).not.toContain("API_KEY");
    await Bun.file(join(dir.path, "keys.env")).delete();

    const wrong = call(ext, OPEN);
    await type(ext, { value: `${PASSPHRASE}!` });
    expect(textOf(await wrong)).toBe("wrong passphrase, or the file was changed");
    const opened = call(ext, OPEN);
    await type(ext, { value: PASSPHRASE });
    expect(textOf(await opened)).toBe("keys.env is written");
    expect(await readFile(join(dir.path, "keys.env"), "utf8")).toBe(PLAIN);
    expect((await stat(join(dir.path, "keys.env"))).mode & 0o777).toBe(0o600);
    expect((await readdir(dir.path)).sort()).toEqual(["keys.env", "keys.env.sealed"]);
    await ext.shutdown();
    expect(ext.lines.join("\n") + ext.stderr).not.toContain("correct");
  });

  test.each([
    [[{ value: "one" }, { value: "two" }], "the two passphrases differ; nothing was written"],
    [[{ value: "" }], "the passphrase is empty; nothing was written"],
    [[{ cancelled: true }], "the user gave no passphrase; nothing was written"],
  ])("writes nothing after %j", async (answers, text) => {
    await using dir = await project();
    await using ext = await started(dir);
    const result = call(ext, SEAL);
    for (const answer of answers) await type(ext, answer);
    expect(await result).toMatchObject({ is_error: true, content: [{ type: "text", text }] });
    expect(await readdir(dir.path)).toEqual(["keys.env"]);
  });

  test("asks nobody when it cannot work anyway", async () => {
    await using dir = await project();
    await using outside = await project();
    await symlink(join(outside.path, "keys.env"), join(dir.path, "link.env"));
    await Bun.write(join(dir.path, "keys.env.sealed"), "x");
    await using ext = await started(dir);
    const refusals = [
      [{ action: "seal", path: join(outside.path, "keys.env") }, "is not in the project"],
      [{ action: "seal", path: "link.env" }, "link.env is not in the project"],
      [{ action: "seal", path: "." }, ". is not in the project"],
      [{ action: "seal", path: "gone" }, "ENOENT"],
      [{ action: "open", path: "keys.env" }, "a sealed file ends in .sealed"],
      [OPEN, "keys.env is there already; move it away first"],
    ] as const;
    for (const [args, text] of refusals) expect(textOf(await call(ext, args))).toContain(text);
    expect(ext.lines.join("\n")).not.toContain("extension_ui_request");
  });
});

describe("secret on a host without dialogs", () => {
  async function started(dir: TempDir): Promise<ExtensionDriver> {
    const ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: dir.path });
    return ext;
  }

  async function panel(ext: ExtensionDriver): Promise<string> {
    const { panel } = await ext.next({ type: "open_panel" });
    return String(Object(panel).id);
  }

  function type(ext: ExtensionDriver, id: string, text: string): void {
    for (const rune of text) ext.send({ type: "panel_key", panel_id: id, key: "rune", text: rune });
  }

  const press = (ext: ExtensionDriver, id: string, key: string): void =>
    ext.send({ type: "panel_key", panel_id: id, key });

  test("asks in a panel of its own each time, which shows dots", async () => {
    await using dir = await project();
    await using ext = await started(dir);
    const sealed = call(ext, SEAL);
    const first = await panel(ext);
    type(ext, first, `${PASSPHRASE}x`);
    press(ext, first, "backspace");
    press(ext, first, "enter");
    const second = await panel(ext);
    expect(second).not.toBe(first);
    // Too late for the first question, and not for the second.
    type(ext, first, "late");
    type(ext, second, PASSPHRASE);
    press(ext, second, "enter");
    expect(textOf(await sealed)).toContain("keys.env.sealed is written");
    const text = await readFile(join(dir.path, "keys.env.sealed"), "utf8");
    expect(Buffer.from(await unseal(text, PASSPHRASE)).toString()).toBe(PLAIN);
    await ext.shutdown();
    const rows = ext.lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "panel_render");
    expect(rows.length).toBe(2 * [...PASSPHRASE].length + 2);
    for (const { lines } of rows) expect(lines).toEqual([expect.stringMatching(/^▸ •+▏$/)]);
    expect(ext.lines.filter((line) => line.includes("panel_close"))).toHaveLength(2);
  });

  test("closing the panel is a no, and a cancelled call closes it", async () => {
    await using dir = await project();
    await using ext = await started(dir);
    const refused = call(ext, SEAL);
    ext.send({ type: "panel_close", panel_id: await panel(ext) });
    expect(textOf(await refused)).toBe("the user gave no passphrase; nothing was written");
    ext.send({ type: "tool_call", id: "t2", name: "sealed_file", args: SEAL });
    const id = await panel(ext);
    ext.send({ type: "tool_cancel", id: "t2" });
    await ext.next({ type: "panel_close", panel_id: id });
    expect(await readdir(dir.path)).toEqual(["keys.env"]);
  });
});

test("in a real host the question is masked, and neither result nor log has the answer", async () => {
  await using world = await HostWorld.create({ host: { explicit: [import.meta.dir] } });
  await world.start();
  await Bun.write(join(world.cwd, "keys.env"), PLAIN);
  const result = world.host.tools.call("sealed_file", JSON.stringify(SEAL), LIVE);
  for (const count of [1, 2]) {
    const { dialog, answer } = await world.surface.dialog(count);
    expect(dialog.question).toMatchObject({ kind: "input", masked: true });
    answer({ kind: "value", value: PASSPHRASE });
  }
  const { content, isError } = await result;
  expect(isError).toBe(false);
  expect(JSON.stringify(content)).not.toContain(PASSPHRASE);
  expect(JSON.stringify(world.surface.calls) + world.log("secret")).not.toContain(PASSPHRASE);
  const sealed = await readFile(join(world.cwd, "keys.env.sealed"), "utf8");
  expect(Buffer.from(await unseal(sealed, PASSPHRASE)).toString()).toBe(PLAIN);
});

test.skipIf(!zotIsBuilt)("in zot, what is typed is on no screen, in no transcript and in no log", async () => {
  await using dir = await project();
  await using home = await tempDir();
  const args = ["--provider", "offline", "--no-ext", "--ext", import.meta.dir];
  {
    await using screen = await openScreen(args, { cwd: dir.path, home: home.path });
    await screen.shows("secret (");
    await screen.enter(`call sealed_file ${JSON.stringify(SEAL)}`);
    for (const title of ["Passphrase for keys.env", "once more"]) {
      await screen.shows(title);
      // A question that comes while somebody types takes no Enter in its first 400 ms.
      await Bun.sleep(450);
      screen.type("hunter2-hunter2");
      await screen.shows("•••••••••••••••");
      await screen.press("enter");
    }
    await screen.shows("keys.env.sealed is written");
    expect(screen.output).not.toContain("hunter2");
    screen.type("/exit\r");
    await screen.exits();
  }
  const files = await readdir(home.path, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
  );
  expect(texts.some((text) => text.includes("keys.env.sealed is written"))).toBe(true);
  expect(texts.join("\n")).not.toContain("hunter2");
  const sealed = await readFile(join(dir.path, "keys.env.sealed"), "utf8");
  expect(Buffer.from(await unseal(sealed, "hunter2-hunter2")).toString()).toBe(PLAIN);
});
