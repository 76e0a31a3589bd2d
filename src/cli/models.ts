import { OFFLINE } from "../llm/choose.ts";
import { listModels, listProviders } from "../llm/list.ts";
import { didYouMean } from "../llm/nearest.ts";
import { leaf } from "./command.ts";
import { CliError } from "./error.ts";

/** `zot models [provider]`: the catalogue; without a provider, which providers there are. */
export const modelsCommand = leaf({
  name: "models",
  description: "list the providers, or the models of one (zot models anthropic)",
  words: { provider: "whose models; without it, which providers there are" },
  flags: {},
  example: "zot models anthropic",
  async run({ positionals }) {
    const [provider] = positionals;
    const known = listProviders();
    if (provider === undefined) {
      console.log([OFFLINE, ...known].join("\n"));
      return 0;
    }
    if (provider === OFFLINE) {
      console.log(`${OFFLINE}/${OFFLINE}`);
      return 0;
    }
    const models = await listModels(provider);
    if (models.length === 0)
      throw new CliError("usage", `no models of provider "${provider}"${didYouMean(provider, known)}`);
    const rows = models.map(({ id, contextWindow, reasons, inputPrice, outputPrice }) => {
      const window = `${Math.round(contextWindow / 1000)}k`.padStart(6);
      const price = `$${inputPrice}/$${outputPrice}`.padStart(16);
      return `${provider}/${id}`.padEnd(52) + window + price + (reasons ? "  reasons" : "");
    });
    console.log(rows.join("\n"));
    return 0;
  },
});
