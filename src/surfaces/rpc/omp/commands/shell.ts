import * as v from "valibot";
import { faultText, RpcError } from "../../error.ts";
import { readFields } from "../../fields.ts";
import { bashExecution, bashText } from "../client-shell.ts";
import { ANSWERED, fail, type Handlers, succeed } from "../context.ts";

const bashSchema = v.looseObject({
  command: v.pipe(v.string(), v.nonEmpty()),
  excludeFromContext: v.nullish(v.boolean(), false),
});

/** Shell commands of the client, which run beside everything else (rpc-wire.md §1.7). */
export const shellCommands: Handlers = {
  bash: (context, command) => {
    const { command: line, excludeFromContext } = readFields(bashSchema, command);
    const { shell, conversation, writer } = context;
    const isExcluded = excludeFromContext === true;
    if (shell.isFull) throw new RpcError("Too many commands are running already");
    shell.run(line).then(
      (result) => {
        conversation.ran(bashExecution(line, result, isExcluded), isExcluded ? undefined : bashText(line, result));
        succeed(writer, command, result);
      },
      (error: unknown) => fail(writer, command, faultText(error)),
    );
    return ANSWERED;
  },
  abort_bash: ({ shell }) => {
    shell.abort();
  },
};
