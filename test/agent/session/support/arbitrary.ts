import fc from "fast-check";
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  ReasoningBlock,
  TextBlock,
  ToolCallBlock,
  ToolMessage,
  UserMessage,
} from "../../../../src/llm/messages.ts";

/** Any string, halves of surrogate pairs and control characters included. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom("\n", "\0", '"', "\\", "\u2028", "\uD800", "\uFEFF"),
  ),
});
const filled = text.filter((value) => value !== "");
/** Written with spaces and odd numbers, which a parser of ours would change. */
const rawObject = fc
  .array(
    fc.tuple(fc.string(), fc.constantFrom("9007199254740993", "1e999", "-0", '"a\\u0000b"', "[ 1 ,2]", "{ }", "null")),
  )
  .map((members) => `{${members.map(([key, value]) => ` ${JSON.stringify(key)} : ${value}`).join(",")}}`);
const args = fc.oneof(rawObject, fc.json(), text, fc.constantFrom("", "null", "[1]", '{"a":', '{"a":1}{"b":2}'));

const signature = fc.option(filled, { nil: undefined });

function signed<T extends object>(block: T, token: string | undefined): T & { readonly signature?: string } {
  return token === undefined ? block : { ...block, signature: token };
}

const textBlock: fc.Arbitrary<TextBlock> = fc
  .tuple(text, signature)
  .map(([value, token]) => signed({ type: "text", text: value } as const, token));
const imageBlock: fc.Arbitrary<ImageBlock> = fc.record({
  type: fc.constant("image" as const),
  mimeType: filled,
  data: fc.base64String(),
});
const reasoningBlock: fc.Arbitrary<ReasoningBlock> = fc
  .tuple(text, signature, fc.boolean())
  .filter(([value, token]) => value !== "" || token !== undefined)
  .map(([value, token, isRedacted]) =>
    signed({ type: "reasoning" as const, text: value, ...(isRedacted ? { redacted: true } : {}) }, token),
  );
const callBlock: fc.Arbitrary<ToolCallBlock> = fc
  .tuple(filled, filled, args, signature)
  .map(([id, name, value, token]) => signed({ type: "tool_call", id, name, arguments: value } as const, token));

const time = fc.integer({ min: Date.parse("0001-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") });

const userMessage: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant("user" as const),
  content: fc.array(fc.oneof(textBlock, imageBlock), { minLength: 1, maxLength: 4 }),
  time,
});

const assistantMessage: fc.Arbitrary<AssistantMessage> = fc.record({
  role: fc.constant("assistant" as const),
  content: fc.array(fc.oneof(textBlock, reasoningBlock, callBlock), { minLength: 1, maxLength: 4 }),
  time,
  provider: filled,
  model: filled,
});

const toolMessage: fc.Arbitrary<ToolMessage> = fc.record({
  role: fc.constant("tool" as const),
  content: fc.array(
    fc.record({
      type: fc.constant("tool_result" as const),
      callId: filled,
      content: fc.array(fc.oneof(textBlock, imageBlock), { minLength: 1, maxLength: 3 }),
      isError: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  time,
});

export const anyMessage: fc.Arbitrary<Message> = fc.oneof(userMessage, assistantMessage, toolMessage);
