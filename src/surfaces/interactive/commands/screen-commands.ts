import type { ApprovalMode } from "../../../agent/approval.ts";
import { textOf } from "../../../llm/messages.ts";
import { copyText } from "../terminal/clipboard.ts";
import type { Theme } from "../theme/roles.ts";
import { AUTO } from "../theme/theme-choice.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

/** Commands that are about the screen and the way out. */
export function screenCommands(desk: Desk): BuiltinCommand[] {
  const toggle = yolo();
  return [
    { name: "jump", description: "scroll to one of your prompts", run: () => jump(desk) },
    { name: "copy", description: "copy the last answer to the clipboard", run: () => copy(desk) },
    { name: "theme", hint: "[name]", description: "choose the colours", run: (args) => theme(desk, args) },
    { name: "settings", description: "see and change the settings", run: () => settings(desk) },
    { name: "yolo", description: "ask before tools run, or stop asking", run: () => toggle(desk) },
    { name: "exit", aliases: ["quit"], description: "leave zot", run: () => desk.leave() },
  ];
}

async function jump({ view, dialogs, say }: Desk): Promise<void> {
  const turns = view.turns;
  if (turns.length === 0) {
    say("There is nothing to jump to yet.");
    return;
  }
  const items = turns.map((turn, index) => ({ value: turn, label: `${index + 1}  ${turn.text.slice(0, 200)}` }));
  const chosen = await dialogs.pick({ title: "jump to", items, initial: items.length - 1 });
  if (chosen !== undefined) view.jumpTo(chosen);
}

async function copy({ agent, stage, say }: Desk): Promise<void> {
  const answer = agent.session.messages.findLast((message) => message.role === "assistant" && textOf(message) !== "");
  if (answer === undefined) {
    say("There is no answer to copy yet.");
    return;
  }
  const taken = await copyText(textOf(answer), (data) => stage.terminal.write(data));
  stage.tui.flash(`copied ${taken} characters`);
}

async function theme(desk: Desk, args: string): Promise<void> {
  const { themes, themeChoice, look, stage, dialogs, settings: saved } = desk;
  const { themes: all, faults } = themes.load();
  const before = look.theme;
  const names = [AUTO, ...all.map((shelved) => shelved.theme.name)];
  const isKnown = names.includes(args);
  // What is wrong with other files is of no interest to somebody who named one.
  if (!isKnown) for (const fault of faults) desk.fail(fault);
  if (args !== "" && !isKnown) {
    desk.fail(`no theme ${args}; there are ${names.join(", ")}`);
    return;
  }
  const show = (wanted: Theme): void => {
    look.use(wanted);
    stage.redrawAll();
  };
  const themeOf = (name: string): Theme => all.find((shelved) => shelved.theme.name === name)?.theme ?? before;
  const origin = (name: string): string => {
    if (name === AUTO) return "as the terminal's background is";
    return all.find((shelved) => shelved.theme.name === name)?.origin ?? "";
  };
  const current = saved.get("theme") ?? AUTO;
  const picked = (): Promise<string | undefined> =>
    dialogs.pick({
      title: "theme",
      items: names.map((name) => ({ value: name, label: name, description: origin(name) })),
      initial: names.indexOf(current === AUTO ? AUTO : before.name),
      moved: (name) => show(themeOf(name)),
    });
  const chosen = args === "" ? await picked() : args;
  show(chosen === undefined ? before : themeOf(chosen));
  if (chosen === undefined) return;
  if (chosen === AUTO) await themeChoice.followTerminal();
  await saved.set("theme", chosen);
}

type SettingRow = "model" | "reasoning" | "theme" | "alerts" | "mouse";

async function settings(desk: Desk, last?: SettingRow): Promise<void> {
  const { settings: saved, dialogs, agent } = desk;
  const alerts = saved.get("terminal_alerts_enabled") ?? true;
  const mouse = saved.get("mouse") ?? true;
  const rows: { readonly label: string; readonly description: string; readonly value: SettingRow }[] = [
    { label: "model", description: `${agent.model.provider}/${agent.model.id}`, value: "model" },
    { label: "reasoning", description: agent.reasoning ?? "the model's own", value: "reasoning" },
    { label: "theme", description: saved.get("theme") ?? AUTO, value: "theme" },
    { label: "bell of extensions", description: alerts ? "on" : "off", value: "alerts" },
    { label: "mouse", description: `${mouse ? "on" : "off"}, from the next start on`, value: "mouse" },
  ];
  const initial = rows.findIndex(({ value }) => value === last);
  const chosen = await dialogs.pick({ title: `settings · ${saved.path}`, items: rows, initial });
  if (chosen === undefined) return;
  if (chosen === "alerts") await saved.set("terminal_alerts_enabled", !alerts);
  else if (chosen === "mouse") await saved.set("mouse", !mouse);
  else await desk.command(chosen);
  if (chosen === "alerts" || chosen === "mouse") await settings(desk, chosen);
}

/** Off and on again asks as it did before. */
function yolo(): (desk: Desk) => void {
  let asked: ApprovalMode = "ask";
  return ({ agent: { approval }, say }) => {
    const asks = approval.mode !== "never";
    if (asks) asked = approval.mode;
    approval.mode = asks ? "never" : asked;
    if (asks) say("Tools run without asking.");
    else say(asked === "ask" ? "Every tool asks before it runs." : "Tools that change something ask before they run.");
  };
}
