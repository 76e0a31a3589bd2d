import { join } from "node:path";
import { display, extension } from "zot/ext";
import { Scratchpad } from "./scratchpad.ts";

const ext = extension({ name: "scratchpad", version: "1.0.0" });

ext.onHello((host) => {
  // The project's folder, not ours: the process itself runs beside its manifest.
  const pad = new Scratchpad(join(host.cwd, ".zot", "scratchpad.md"));

  ext.command("note", { description: "keep a note with this project" }, async (text) => {
    await pad.add(text);
    ext.notify("success", `noted in ${pad.path}`);
  });

  ext.command("notes", { description: "show the notes of this project" }, async () =>
    display((await pad.read()) ?? "no notes yet; /note TEXT makes one"),
  );

  ext.tool(
    "scratchpad",
    {
      description: "Notes that stay with this project between sessions. read shows them; append adds text as one note.",
      parameters: {
        type: "object",
        properties: { action: { enum: ["read", "append"] }, text: { type: "string" } },
        required: ["action"],
      },
    },
    async ({ action, text = "" }) => {
      if (action === "read") return (await pad.read()) ?? "no notes yet";
      await pad.add(text);
      return "noted";
    },
  );
});

await ext.run();
