import { IdSource } from "../../src/host/connection/ids.ts";
import { systemTimers } from "../../src/host/connection/timers.ts";
import { Extension } from "../../src/host/extension.ts";

/** An extension that was found and never starts, for rooms that only need to know whose something is. */
export function unstartedExtension(name: string, generation: number, loadIndex = 0): Extension {
  const manifest = {
    name,
    version: "",
    exec: "true",
    args: [],
    language: "",
    description: "",
    enabled: true,
    skills: [],
    runtime: "system",
    hasTheme: false,
  } as const;
  const dir = import.meta.dir;
  return new Extension(
    { scope: "explicit", dir, loadIndex, name, manifest, verdict: { kind: "winner" } },
    { generation, isReload: false },
    {
      home: dir,
      cwd: dir,
      version: "",
      env: {},
      sourceRunner: ["false"],
      helloDeadlineCapMs: 0,
      ids: new IdSource(),
      timers: systemTimers,
      model: () => ({ provider: "", model: "" }),
      session: () => undefined,
      frames: () => new Map(),
      ready: () => undefined,
      leaving: () => undefined,
      gone: () => undefined,
      crashed: () => undefined,
    },
  );
}
