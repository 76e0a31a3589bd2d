import { faultText, RpcError } from "../../error.ts";
import { textField } from "../../fields.ts";
import { LOGIN_DEADLINE_MS } from "../../limits.ts";
import { ANSWERED, fail, type Handlers, type OmpContext, succeed } from "../context.ts";

/** Keys for providers: asked for with a secret input, tried once, saved (rpc-wire.md §2, `login`). */
export const accountCommands: Handlers = {
  get_login_providers: async ({ engine }) => ({ providers: await engine.accounts.list() }),

  login: async (context, command) => {
    const { engine, writer } = context;
    const providerId = textField(command, "providerId");
    const known = (await engine.accounts.list()).find(({ id }) => id === providerId);
    if (known === undefined) throw new RpcError(`Unknown OAuth provider: ${providerId}`);
    // A human may take his time; other commands go on meanwhile.
    login(context, known.id, known.name).then(
      () => succeed(writer, command, { providerId }),
      (error: unknown) => fail(writer, command, faultText(error)),
    );
    return ANSWERED;
  },

  get_logout_accounts: async ({ engine }, command) => {
    const providerId = textField(command, "providerId");
    const account = (await engine.accounts.list()).find(({ id }) => id === providerId);
    return { accounts: account?.authenticated === true ? [{ credentialId: "api_key", label: "API key" }] : [] };
  },

  logout: async ({ engine }, command) => {
    const providerId = textField(command, "providerId");
    if (!(await engine.accounts.logout(providerId))) throw new RpcError(`There is no saved key for ${providerId}`);
    return {};
  },
};

async function login({ dialogs, engine }: OmpContext, provider: string, name: string): Promise<void> {
  const question = { kind: "input", title: `API key for ${name}`, placeholder: "", masked: true } as const;
  const signal = AbortSignal.timeout(LOGIN_DEADLINE_MS);
  const typed = await dialogs.ask(question, { signal, timeoutMs: LOGIN_DEADLINE_MS });
  if (typed.kind !== "value" || typed.value.trim() === "") throw new RpcError("Login cancelled");
  const end = await engine.accounts.login(provider, typed.value.trim());
  if (end.kind === "refused") throw new RpcError(`${name} does not take this key: ${end.reason}`);
  dialogs.tell("notify", { message: `The key for ${name} is saved.`, notifyType: "info" });
}
