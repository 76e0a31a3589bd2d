import { listProviders } from "../../../llm/list.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

/** `/login` and `/logout`: API keys, typed hidden, tried once, kept in the auth file. */
export function accountCommands(desk: Desk): BuiltinCommand[] {
  return [
    {
      name: "login",
      hint: "[provider]",
      description: "save an API key for a provider",
      run: (args) => login(desk, args),
    },
    {
      name: "logout",
      hint: "[provider]",
      description: "forget a saved API key",
      run: (args) => logout(desk, args),
    },
  ];
}

async function login(desk: Desk, args: string): Promise<void> {
  const { dialogs, auth, models } = desk;
  const provider = args === "" ? await pickProvider(desk, "log in to", listProviders()) : args.toLowerCase();
  if (provider === undefined) return;
  if (!listProviders().includes(provider)) {
    desk.fail(`unknown provider ${provider}; known: ${listProviders().join(", ")}`);
    return;
  }
  const typed = await dialogs.line({
    title: `API key for ${provider}`,
    masked: true,
    message: `saved in ${auth.path}`,
  });
  const key = typed?.trim() ?? "";
  if (key === "") return;
  const verdict = await desk.busy(`asking ${provider} whether it takes this key`, models.probe(provider, key));
  if (verdict.kind === "refused") {
    desk.fail(`${provider} does not take this key, so it is not saved: ${verdict.reason}`);
    return;
  }
  await auth.save(provider, key);
  const doubt = verdict.kind === "unknown" ? ` Whether it works could not be seen: ${verdict.reason}` : "";
  desk.say(`The key for ${provider} is saved in ${auth.path}.${doubt}`);
  if (desk.agent.model.provider === "none") await useDefaultModel(desk, provider);
}

async function useDefaultModel({ agent, models, settings, say }: Desk, provider: string): Promise<void> {
  const model = await models.openDefault(provider);
  agent.setModel(model);
  say(`Talking to ${model.id} now; /model chooses another one.`);
  await settings.set("provider", provider);
  await settings.set("model", model.id);
}

async function logout(desk: Desk, args: string): Promise<void> {
  const { auth } = desk;
  const saved = auth.withKey(listProviders());
  if (saved.length === 0) {
    desk.say("There is no saved key. Keys from the environment are not zot's to forget.");
    return;
  }
  const provider = args === "" ? await pickProvider(desk, "forget the key of", saved) : args.toLowerCase();
  if (provider === undefined) return;
  if (await auth.remove(provider)) desk.say(`The key for ${provider} is forgotten.`);
  else desk.fail(`there is no saved key for ${provider}; there are keys for ${saved.join(", ")}`);
}

function pickProvider(
  { dialogs, auth }: Desk,
  title: string,
  providers: readonly string[],
): Promise<string | undefined> {
  const items = providers.map((provider) => ({
    value: provider,
    label: provider,
    ...(auth.key(provider) === undefined ? {} : { description: "has a saved key" }),
  }));
  return dialogs.pick({ title, items });
}
