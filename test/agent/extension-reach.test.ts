import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { runZot } from "../support/zot.ts";

const SCRIPT = `
import sys, json
def emit(**frame): print(json.dumps(frame), flush=True)
emit(type="hello", name="reach", protocol_version=2)
emit(type="subscribe", intercept=["turn_start"])
emit(type="register_uri_scheme", scheme="notes", writable=True)
emit(type="ready")
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "event_intercept":
        emit(type="event_intercept_response", id=frame["id"], context="call bash {}")
    if frame["type"] == "uri_request":
        emit(type="uri_result", id=frame["id"], content="NOTE " + frame["operation"] + " " + frame.get("content", ""))
`;

test("read and write reach a scheme of an extension in a print run, and no file is made of it", async () => {
  await using dir = await tempDir("zot-reach-");
  writeFileSync(join(dir.path, "reach.py"), SCRIPT);
  const prompt =
    'call write {"path":"notes://x","content":"hello"}\ncall read {"path":"notes://x"}\ncall bash {"command":"ls"}';
  const { stdout, code } = await runZot(["-p", "--provider", "offline", "--ext", join(dir.path, "reach.py"), prompt]);
  expect(code).toBe(0);
  expect(stdout).toContain("NOTE write hello");
  expect(stdout).toContain("NOTE read");
  expect(stdout).not.toContain("notes:");
});

test("the rehearsal model follows its script although an extension adds context to every request", async () => {
  await using dir = await tempDir("zot-reach-");
  writeFileSync(join(dir.path, "reach.py"), SCRIPT);
  const prompt = 'call bash {"command":"echo one"}\ncall bash {"command":"echo two"}\nsay the end';
  const { stdout } = await runZot(["-p", "--provider", "offline", "--ext", join(dir.path, "reach.py"), prompt]);
  expect(stdout.trim()).toBe("the end");
});
