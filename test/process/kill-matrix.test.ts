import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { basename } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { KINDS, LANGUAGES } from "./support/families.ts";
import { type Marked, MarkedRun, type Seat } from "./support/marked-run.ts";

setDefaultTimeout(30_000);

/** The kernel takes a moment to clear away what was killed. */
const AFTERWARDS_MS = 1_000;
/** A turn with a tool that runs, a child of zot as well, until there is a file `go` in the project. */
const LONG_TURN = ["-p", "--json", 'call bash {"command":"echo up; until [ -e go ]; do sleep 0.05; done"}'];
/** What the tool has said. */
const IN_TURN = '"text":"up\\n"';
/** The screen says how long its extensions took to start. */
const ON_SCREEN = " ms)";

interface End {
  readonly name: string;
  readonly args: readonly string[];
  readonly seat: Seat;
  /** What it has written when it is time. */
  readonly at: string;
  readonly status: number;
  end(run: MarkedRun): void;
}

const ENDS: readonly End[] = [
  {
    name: "a normal end",
    args: LONG_TURN,
    seat: "pipes",
    at: IN_TURN,
    status: 0,
    end: (run) => run.write("go"),
  },
  typed("Ctrl-C on the terminal", "\u0003", 130),
  typed("Ctrl-\\ on the terminal", "\u001c", 131),
  signalled("SIGINT", 130),
  signalled("SIGTERM", 143),
  signalled("SIGHUP", 129),
  {
    name: "a second SIGINT while it is stopping",
    args: LONG_TURN,
    seat: "pipes",
    at: IN_TURN,
    status: 130,
    end: ({ process }) => {
      process.kill("SIGINT");
      // Signals of one kind that come together are one.
      setTimeout(() => process.kill("SIGINT"), 100);
    },
  },
  { name: "/exit", args: [], seat: "terminal", at: ON_SCREEN, status: 0, end: (run) => run.type("/exit\r") },
  {
    name: "the loss of its terminal",
    args: [],
    seat: "terminal",
    at: ON_SCREEN,
    status: 129,
    end: (run) => run.hangUp(),
  },
  { name: "the end of an rpc client", args: ["rpc"], seat: "pipes", at: "", status: 0, end: (run) => run.endInput() },
];

describe.skipIf(!zotIsBuilt || process.platform !== "linux")(
  `of ${KINDS.length} kinds of children in ${LANGUAGES.length} languages nobody is left`,
  () => {
    for (const { name, args, seat, at, status, end } of ENDS) {
      test.concurrent(`after ${name}`, async () => {
        await using run = await MarkedRun.start(args, seat);
        await run.isUp(at);
        const owners = run.marked.map(({ owner }) => owner);
        expect(owners).toEqual(expect.arrayContaining(run.extensions.map((path) => basename(path))));
        end(run);
        expect(await run.process.exited).toBe(status);
        await run.leavesNobody(AFTERWARDS_MS);
      });
    }

    test.concurrent("after SIGTERM while they are starting", async () => {
      await using run = await MarkedRun.start(LONG_TURN, "pipes");
      await run.hasStarted(run.extensions.length / 2);
      run.process.kill("SIGTERM");
      expect(await run.process.exited).toBe(143);
      await run.leavesNobody(AFTERWARDS_MS);
    });

    test.concurrent("after kill -9, of those that watch their stdin or are run by zot itself", async () => {
      await using run = await MarkedRun.start(LONG_TURN, "pipes");
      await run.isUp(IN_TURN);
      expect(run.marked.filter(mustEndAlone)).toHaveLength(6);
      run.process.kill("SIGKILL");
      await run.leavesNobody(2_000, mustEndAlone);
    });
  },
);

function signalled(signal: "SIGINT" | "SIGTERM" | "SIGHUP", status: number): End {
  const end = ({ process }: MarkedRun): void => process.kill(signal);
  return { name: signal, args: LONG_TURN, seat: "pipes", at: IN_TURN, status, end };
}

function typed(name: string, key: string, status: number): End {
  return { name, args: LONG_TURN, seat: "terminal", at: IN_TURN, status, end: (run) => run.type(key) };
}

/**
 * When nobody of ours is left to signal anybody, those end that see the end of their stdin, and those that our own
 * executable runs; what they have started themselves is their own affair.
 */
function mustEndAlone({ owner, argv }: Marked): boolean {
  return !argv.startsWith("sleep ") && (owner.startsWith("watching-") || owner.endsWith("-typescript"));
}
