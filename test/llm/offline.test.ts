import { describe, expect, test } from "bun:test";
import type { AssistantMessage, Message, ToolMessage } from "../../src/llm/messages.ts";
import { OfflineModel } from "../../src/llm/offline/offline-model.ts";
import { rules } from "../../src/llm/offline/rules.ts";
import { type Answered, ask, failure, joined, requestOf, user } from "./asking.ts";

/** Answers the calls of a message with their own arguments. */
function echoed(message: AssistantMessage): ToolMessage {
  const calls = message.content.filter((block) => block.type === "tool_call");
  return {
    role: "tool",
    time: 3,
    content: calls.map((call) => ({
      type: "tool_result",
      callId: call.id,
      content: [{ type: "text", text: `echo ${call.arguments}` }],
      isError: call.name === "bad",
    })),
  };
}

/** Plays a whole prompt to its end, as the agent does. */
async function play(prompt: string, model = new OfflineModel()): Promise<Answered[]> {
  const messages: Message[] = [user(prompt)];
  const answers: Answered[] = [];
  for (;;) {
    const answer = await ask(model, messages);
    answers.push(answer);
    if (answer.stop !== "tool_use") return answers;
    messages.push(answer.message, echoed(answer.message));
  }
}

describe("the offline model", () => {
  test("says what it is, and which tools and commands there are", async () => {
    const { text, stop } = await ask(new OfflineModel(), "hello", { commands: ["deploy", "/weather"] });
    expect(text.split("\n")).toHaveLength(2);
    expect(text).toContain("offline model");
    expect(text).toContain("Tools: read. Commands: /deploy, /weather.");
    expect(stop).toBe("end_turn");
    const bare = await ask(new OfflineModel(), "", { tools: [] });
    expect(bare.text).toContain("Tools: none. Commands: none.");
  });

  test("makes the calls one after the other and then lists the results", async () => {
    const answers = await play('please\ncall read {"path":"a"}\ncall bad {"n":9007199254740993}\nthanks');
    expect(answers.map((answer) => answer.calls.map((call) => `${call.name} ${call.arguments}`))).toEqual([
      ['read {"path":"a"}'],
      ['bad {"n":9007199254740993}'],
      [],
    ]);
    expect(answers[2]?.text).toBe(
      '2 tool results:\n- read: echo {"path":"a"}\n- bad failed: echo {"n":9007199254740993}',
    );
  });

  test("makes calls in parallel where the line ends in an ampersand", async () => {
    const [first, second] = await play('call read {"a":1} &\ncall read {"a":2}&\ncall read\nsay all done');
    expect(first?.calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}', "{}"]);
    expect(new Set(first?.calls.map((call) => call.id)).size).toBe(3);
    expect(second?.text).toBe("all done");
  });

  test("passes arguments on as they are written, good or bad", async () => {
    const [answer] = await play(`call read {"x": 'bad, "🦊": "${"long ".repeat(20)}"`);
    const raw = `{"x": 'bad, "🦊": "${"long ".repeat(20)}"`;
    expect(answer?.calls[0]?.arguments).toBe(raw);
    expect(joined(answer?.events ?? [], "tool_call_delta")).toBe(raw);
    for (const event of answer?.events ?? []) expect(JSON.stringify(event)).not.toMatch(/\\ud[89a-f]/i);
  });

  test("speaks and thinks in small pieces", async () => {
    const [answer] = await play("think let me see\nsay first line\nsay second line");
    expect(answer?.message.content).toEqual([
      { type: "reasoning", text: "let me see" },
      { type: "text", text: "first line\nsecond line" },
    ]);
    const deltas = answer?.events.filter((event) => event.type === "text_delta") ?? [];
    expect(deltas.length).toBeGreaterThan(3);
    expect(joined(answer?.events ?? [], "text_delta")).toBe("first line\nsecond line");
    expect(answer?.usage.output).toBeGreaterThan(0);
  });

  test("is the same every time", async () => {
    const script = "think a\ncall read {}\nsay b";
    const strip = (answers: Answered[]): unknown =>
      answers.map(({ events }) => events.map((event) => (event.type === "message" ? event.usage : event)));
    expect(strip(await play(script))).toEqual(strip(await play(script)));
  });

  test("fails once with the asked status, and then goes on", async () => {
    const model = new OfflineModel();
    const error = await failure(play("say before\nfail 429\nsay after", model));
    expect([error.code, error.status]).toEqual(["rate_limit", 429]);
    expect((await play("say before\nfail 429\nsay after", model))[0]?.text).toBe("before\nafter");
    expect((await failure(play("fail", new OfflineModel()))).code).toBe("server");
    expect((await failure(play("fail 401", new OfflineModel()))).code).toBe("auth");
  });

  test("fails as often as it is told, and breaks off", async () => {
    const model = new OfflineModel();
    for (let count = 0; count < 2; count++)
      expect((await failure(play("drop 2\nsay ok", model))).code).toBe("cut_stream");
    expect((await play("drop 2\nsay ok", model))[0]?.text).toBe("ok");
    for (let count = 0; count < 5; count++) await failure(play("fail 503 always", model));
  });

  test("strikes again when the same fault is asked for by another message", async () => {
    const model = new OfflineModel();
    await failure(play("fail 500\nsay x", model));
    const [first] = await play("fail 500\nsay x", model);
    const history = [user("fail 500\nsay x"), ...(first === undefined ? [] : [first.message]), user("fail 500\nsay x")];
    expect((await failure(ask(model, history))).code).toBe("server");
  });

  test("fails after a tool call without making it again", async () => {
    const model = new OfflineModel();
    const messages: Message[] = [user("call read {}\nfail 500\nsay done")];
    const first = await ask(model, messages);
    messages.push(first.message, echoed(first.message));
    expect((await failure(ask(model, messages))).code).toBe("server");
    expect((await ask(model, messages)).text).toBe("done");
  });

  test("sleeps, and wakes at once when it is aborted", async () => {
    const started = performance.now();
    expect((await play("sleep 50\nsay awake"))[0]?.text).toBe("awake");
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
    const controller = new AbortController();
    const answer = failure(ask(new OfflineModel(), "say hm\nsleep 600000", {}, controller.signal));
    setTimeout(() => controller.abort(), 20);
    expect((await answer).code).toBe("aborted");
    expect((await failure(ask(new OfflineModel(), "hi", {}, AbortSignal.abort()))).code).toBe("aborted");
  });

  test("stops in the middle of a long text when it is aborted", async () => {
    const controller = new AbortController();
    let pieces = 0;
    const stream = new OfflineModel().stream(requestOf(`say ${"word ".repeat(10_000)}`), controller.signal);
    const read = async (): Promise<void> => {
      for await (const _ of stream) {
        pieces += 1;
        if (pieces === 10) controller.abort();
      }
    };
    expect((await failure(read())).code).toBe("aborted");
    expect(pieces).toBe(10);
  });

  test("makes no calls when no tools are offered", async () => {
    const answer = await ask(new OfflineModel(), "call read {}\nsay hi", { tools: [] });
    expect([answer.calls.length, answer.text]).toEqual([0, "hi"]);
  });

  test("starts over with every message, with ids that do not repeat", async () => {
    const model = new OfflineModel();
    const first = await ask(model, "call read {}");
    const history = [user("call read {}"), first.message, echoed(first.message), user("call read {}")];
    const second = await ask(model, history);
    expect(second.calls).toHaveLength(1);
    expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id ?? "");
  });

  test.each(["sayhello", "fail 42", "fail 999", "sleep soon", "call", "drop dead", "say"])(
    "takes %j for no script line",
    async (line) => {
      expect((await play(line))[0]?.text).toContain("offline model");
    },
  );

  test("has rules that name every line it knows", () => {
    for (const word of ["call TOOL", "say TEXT", "think TEXT", "sleep MS", "fail STATUS", "drop", "&", "always"]) {
      expect(rules).toContain(word);
    }
  });
});
