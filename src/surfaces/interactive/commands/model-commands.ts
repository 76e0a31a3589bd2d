import type { ModelOffer } from "../../../llm/accounts/models.ts";
import { REASONING_LEVELS } from "../../../llm/port.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

/** `/model` and `/reasoning`. What is chosen holds from the next request on, and for later runs. */
export function modelCommands(desk: Desk): BuiltinCommand[] {
  return [
    {
      name: "model",
      hint: "[provider/id]",
      description: "choose the model",
      run: (args) => chooseModel(desk, args),
    },
    {
      name: "reasoning",
      hint: "[level]",
      description: "choose how hard the model thinks",
      run: (args) => chooseReasoning(desk, args),
    },
  ];
}

async function chooseModel(desk: Desk, args: string): Promise<void> {
  const { agent, models, dialogs } = desk;
  const offers = await desk.busy("looking for models", models.offers());
  const named = args === "" ? undefined : offers.find((offer) => isNamed(offer, args));
  if (named !== undefined) {
    await use(desk, named);
    return;
  }
  if (args !== "") {
    desk.fail(`no model ${args} that there is a key for; /model lists them, /login saves a key`);
    return;
  }
  const chosen = await dialogs.pick<ModelOffer>({
    title: "model",
    items: offers.map((offer) => ({
      value: offer,
      label: `${offer.provider}/${offer.id}`,
      description: describe(offer),
    })),
    initial: offers.findIndex((offer) => offer.provider === agent.model.provider && offer.id === agent.model.id),
  });
  if (chosen !== undefined) await use(desk, chosen);
}

function isNamed({ provider, id }: ModelOffer, name: string): boolean {
  return `${provider}/${id}` === name || id === name;
}

function describe({ name, contextWindow }: ModelOffer): string {
  return contextWindow > 0 ? `${name}, ${Math.round(contextWindow / 1000)}k` : name;
}

async function use({ agent, models, settings, say }: Desk, { provider, id }: ModelOffer): Promise<void> {
  agent.setModel(await models.open(provider, id));
  say(`Talking to ${provider}/${id} from the next request on.`);
  await settings.set("provider", provider);
  await settings.set("model", id);
}

async function chooseReasoning({ agent, settings, dialogs, say, fail }: Desk, args: string): Promise<void> {
  const wanted = args.toLowerCase();
  const given = REASONING_LEVELS.find((level) => level === wanted);
  if (args !== "" && given === undefined) {
    fail(`no reasoning level ${args}; there are ${REASONING_LEVELS.join(", ")}`);
    return;
  }
  const items = REASONING_LEVELS.map((level) => ({ value: level, label: level }));
  const initial = agent.reasoning === undefined ? 0 : REASONING_LEVELS.indexOf(agent.reasoning);
  const level = given ?? (await dialogs.pick({ title: "reasoning", items, initial }));
  if (level === undefined) return;
  agent.setReasoning(level);
  say(agent.model.reasons ? `Reasoning: ${level}.` : `Reasoning: ${level}, though ${agent.model.id} does not reason.`);
  await settings.set("reasoning", level);
}
