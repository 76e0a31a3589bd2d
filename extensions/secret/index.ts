import { basename } from "node:path";
import { extension } from "zot/ext";
import { askInPanel } from "./masked-panel.ts";
import { createPrivate, mustBeFree, projectFile, readWhole, replaceFile } from "./project-file.ts";
import { seal, unseal } from "./seal.ts";

const SUFFIX = ".sealed";
const MAX_PLAIN_MIB = 10;
/** As text it is a third larger. */
const MAX_SEALED_MIB = 14;

const ext = extension({ name: "secret", version: "1.0.0" });

ext.tool(
  "sealed_file",
  {
    description:
      "Encrypts a file of the project (seal: FILE becomes FILE.sealed, which may be committed; FILE stays) or decrypts it (open: FILE.sealed becomes FILE). The user is asked for the passphrase; you never get to know it.",
    parameters: {
      type: "object",
      properties: {
        action: { enum: ["seal", "open"] },
        path: { type: "string", description: "The file to encrypt or to decrypt" },
      },
      required: ["action", "path"],
    },
    interactive: true,
  },
  async ({ action, path }, { host, signal }) => {
    const file = await projectFile(host.cwd, path);
    return action === "seal" ? await sealFile(file, signal) : await openFile(file, signal);
  },
);

await ext.run();

async function sealFile(file: string, signal: AbortSignal): Promise<string> {
  // Before anybody is asked: a passphrase for nothing is a nuisance.
  const plain = await readWhole(file, MAX_PLAIN_MIB);
  const name = basename(file);
  const passphrase = await ask(`Passphrase for ${name}`, signal);
  if (passphrase === "") throw new Error("the passphrase is empty; nothing was written");
  // Nobody sees what he types, and a slip would lose the file.
  const again = await ask(`Passphrase for ${name}, once more`, signal);
  if (again !== passphrase) throw new Error("the two passphrases differ; nothing was written");
  await replaceFile(`${file}${SUFFIX}`, await seal(plain, passphrase));
  return `${name}${SUFFIX} is written; ${name} is still there`;
}

async function openFile(file: string, signal: AbortSignal): Promise<string> {
  if (!file.endsWith(SUFFIX)) throw new Error(`a sealed file ends in ${SUFFIX}`);
  const target = file.slice(0, -SUFFIX.length);
  await mustBeFree(target);
  const sealed = await readWhole(file, MAX_SEALED_MIB);
  const passphrase = await ask(`Passphrase of ${basename(file)}`, signal);
  const plain = await unseal(sealed.toString("utf8"), passphrase);
  await createPrivate(target, plain);
  return `${basename(target)} is written`;
}

/** A masked line from the user, by dialog where the host has them. Throws when there is none. */
async function ask(title: string, signal: AbortSignal): Promise<string> {
  const answer = ext.host.features.includes("ui")
    ? await ext.ui.input(title, { secret: true, signal })
    : await askInPanel(ext, title, signal);
  if (answer === undefined) throw new Error("the user gave no passphrase; nothing was written");
  return answer;
}
