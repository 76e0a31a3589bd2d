import { plainText } from "../surfaces/plain-text.ts";
import { leaf } from "./command.ts";
import { directory } from "./run-options.ts";
import { sessionStore } from "./session.ts";
import { printToStderr } from "./stderr.ts";

/** `zot sessions`: the conversations of this project, newest first. */
export const sessionsCommand = leaf({
  name: "sessions",
  description: "list the sessions of this project, the newest first",
  flags: { cwd: { type: "string", valueHint: "DIR", description: "the project directory" } },
  words: {},
  example: "zot sessions",
  async run({ values }) {
    const store = sessionStore(directory(values.cwd), { kind: "new" }, (text) =>
      printToStderr(`zot: ${plainText(text)}`),
    );
    const sessions = await store.list();
    if (sessions.length === 0) {
      printToStderr("no sessions of this project yet; zot -p 'hello' makes one, zot -c goes on with the newest");
      return 0;
    }
    const rows = sessions.map(({ id, modified, title }) => `${id}  ${localTime(modified)}  ${title}`);
    console.log(rows.join("\n"));
    return 0;
  },
});

/** `2026-01-31 09:05`, local time. */
function localTime(ms: number): string {
  const date = new Date(ms);
  const pad = (n: number): string => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
