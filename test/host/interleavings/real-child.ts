import fc from "fast-check";

/** How a real child ends, or stops being of use, as its shell script says it. */
const ENDS = {
  "exit 0": "exit 0",
  "exit 3": "exit 3",
  killed: "kill -9 $$",
  aborted: "kill -6 $$",
  frozen: "kill -STOP $$; sleep 300",
  "shut stdin": "exec <&-; sleep 300",
  "shut stdout": "exec >&-; sleep 300",
  silent: "sleep 300",
} as const;

/** One real child, from what it says to where it stops saying it. */
export interface RealChild {
  /** It writes so much of its greeting and comes to its end; absent: all of it. */
  readonly greetingBytes: number | undefined;
  /** Then it answers so many calls … */
  readonly answers: number;
  /** … and writes so much of one more answer. */
  readonly answerBytes: number;
  readonly end: keyof typeof ENDS;
  readonly heedsTerm: boolean;
  /** In its group: one that keeps its pipes open, and one that does not. */
  readonly grandchildren: readonly ("holds the pipes" | "lets go")[];
}

export const realChild: fc.Arbitrary<RealChild> = fc.record({
  greetingBytes: fc.option(fc.nat({ max: 400 }), { nil: undefined, freq: 3 }),
  answers: fc.nat({ max: 6 }),
  answerBytes: fc.nat({ max: 60 }),
  end: fc.constantFrom("exit 0", "exit 3", "killed", "aborted", "frozen", "shut stdin", "shut stdout", "silent"),
  heedsTerm: fc.nat({ max: 3 }).map((n) => n > 0),
  grandchildren: fc.subarray(["holds the pipes", "lets go"] as const),
});

/** The program in sh, which starts within a millisecond. Each start adds its process id to a file called `pids`. */
export function scriptOf(name: string, child: RealChild): string {
  const greeting = greetingOf(name).slice(0, child.greetingBytes);
  const grandchildren = {
    "holds the pipes": "sleep 300 &",
    "lets go": "sleep 300 </dev/null >/dev/null &",
  };
  return [
    "echo $$ >> pids",
    child.heedsTerm ? "" : "trap '' TERM",
    ...child.grandchildren.map((kind) => grandchildren[kind]),
    `printf '%s' '${greeting}'`,
    child.greetingBytes === undefined ? answering(child) : "",
    ENDS[child.end],
  ].join("\n");
}

function greetingOf(name: string): string {
  const schema = { type: "object", properties: {} };
  const frames = [
    { type: "hello", name, version: "1", capabilities: ["tool_cancel"] },
    { type: "register_command", name },
    { type: "register_tool", name: `${name}_tool`, schema },
    { type: "register_tool", name: "shared", schema },
    { type: "subscribe", intercept: ["tool_call", "turn_start", "before_agent_start"] },
    { type: "ready" },
  ];
  return frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
}

function answering({ answers, answerBytes }: RealChild): string {
  return `
given=0
while IFS= read -r line; do
  id=\${line#*'"id":"'}; id=\${id%%'"'*}
  case $line in
    *'"type":"tool_call"'*) answer='{"type":"tool_result","id":"'$id'","content":[{"type":"text","text":"done"}]}' ;;
    *'"type":"command_invoked"'*) answer='{"type":"command_response","id":"'$id'","action":"display","display":"done"}' ;;
    *'"type":"event_intercept"'*) answer='{"type":"event_intercept_response","id":"'$id'"}' ;;
    *) continue ;;
  esac
  if [ $given -ge ${answers} ]; then printf '%.${answerBytes}s' "$answer"; break; fi
  printf '%s\\n' "$answer"
  given=$((given + 1))
done`;
}
