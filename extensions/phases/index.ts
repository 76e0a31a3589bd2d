import { extension } from "zot/ext";
import {
  advanced,
  current,
  headline,
  NO_PLAN,
  type Plan,
  planned,
  planSchema,
  reminder,
  rows,
  widgetRows,
} from "./plan.ts";

const ext = extension({ name: "phases", version: "1.0.0", protocol: 2 });

// The plan belongs to the conversation: resumed, forked or switched, each brings its own, and a new one brings none.
const plan = ext.state({ schema: planSchema, initial: NO_PLAN });

plan.onChange(show);

ext.onSession(({ event }) => {
  const isBack = event === "session_opened" || event === "session_switched";
  if (isBack && current(plan.value) !== undefined) ext.notify("info", `back in ${headline(plan.value)}`);
});

ext.tool(
  "phases",
  {
    description:
      "The plan of this conversation, shown to the user. plan starts a new one and needs phases; next marks the phase at work as done; show reads it; drop gives it up.",
    parameters: {
      type: "object",
      properties: {
        action: { enum: ["plan", "next", "show", "drop"] },
        phases: { type: "array", items: { type: "string" }, description: "For plan: short names, in order" },
      },
      required: ["action"],
    },
  },
  ({ action, phases = [] }) => {
    switch (action) {
      case "plan":
        return stored(planned(phases));
      case "next":
        return stored(advanced(plan.value));
      case "drop":
        // null is "nothing", to the host as well: it forgets the row.
        return { content: "the plan is dropped", details: null };
      default:
        return described(plan.value);
    }
  },
);

// Hidden, and for this one request only: it is told anew each time, so it never grows old in the transcript.
ext.intercept("turn_start", () => {
  const context = reminder(plan.value);
  return context === undefined ? undefined : { context };
});

ext.command("phases", { description: "the plan of this conversation" }, () => described(plan.value));

await ext.run();

function stored(next: Plan) {
  return plan.storing(next, described(next));
}

function described(shown: Plan): string {
  return shown.phases.length === 0 ? "no plan" : `${headline(shown)}\n${rows(shown).join("\n")}`;
}

function show(shown: Plan): void {
  const isAtWork = current(shown) !== undefined;
  ext.status("phase", headline(shown), isAtWork ? "info" : "success");
  if (isAtWork) ext.widget("plan", { title: "Plan", lines: widgetRows(shown) });
  else ext.clearWidget("plan");
}
