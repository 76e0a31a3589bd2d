import { describe, expect, expectTypeOf, test } from "bun:test";
import { extension, type FromSchema } from "../../src/sdk/api.ts";

// expectTypeOf is checked by the compiler (`bun run check`); at run time it does nothing.
describe("the argument type follows from the schema literal", () => {
  const ext = extension({ name: "types" });

  test("required, optional and nested members", () => {
    ext.tool(
      "search",
      {
        description: "types",
        parameters: {
          type: "object",
          properties: {
            query: { type: "string", description: "what to look for" },
            limit: { type: "integer" },
            ratio: { type: "number" },
            exact: { type: "boolean" },
            nothing: { type: "null" },
            unit: { enum: ["c", "f"] },
            mode: { const: "fast" },
            tags: { type: "array", items: { type: "string" } },
            loose: { type: "array" },
            place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            bag: { type: "object" },
            maybe: { type: ["string", "null"] },
            any: { description: "no type" },
            odd: { anyOf: [{ type: "string" }] },
          },
          required: ["query", "place", "maybe", "unit"],
        },
      },
      (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{
          query: string;
          limit?: number;
          ratio?: number;
          exact?: boolean;
          nothing?: null;
          unit: "c" | "f";
          mode?: "fast";
          tags?: string[];
          loose?: unknown[];
          place: { city: string };
          bag?: Record<string, unknown>;
          maybe: string | null;
          any?: unknown;
          odd?: unknown;
        }>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        // @ts-expect-error a member that the schema does not have
        args.missing;
        return "ok";
      },
    );
    expect(ext).toBeDefined();
  });

  test("an object without properties, and a tool without parameters", () => {
    expectTypeOf<FromSchema<{ readonly type: "object" }>>().toEqualTypeOf<Record<string, unknown>>();
    ext.tool("bare", { description: "bare" }, (args) => {
      expectTypeOf(args).not.toBeAny();
      return "ok";
    });
  });

  test("a schema that is no literal gives unknown, never any", () => {
    expectTypeOf<FromSchema<{ readonly type: string }>>().toBeUnknown();
    expectTypeOf<FromSchema<object>>().toBeUnknown();
  });

  test("a handler that returns something else does not compile", () => {
    // @ts-expect-error a number is no tool result
    ext.tool("number", { description: "number" }, () => 42);
    // @ts-expect-error a command replies with a text or a reply
    ext.command("number", {}, () => 42);
    // @ts-expect-error there is no such event
    expect(() => ext.on("nonsense", () => undefined)).toThrow("there is no event");
    // @ts-expect-error turn_end cannot be intercepted
    expect(() => ext.intercept("turn_end", () => undefined)).toThrow("cannot be intercepted");
    // @ts-expect-error turn_start takes no replacement of arguments
    ext.intercept("turn_start", () => ({ modifiedArgs: {} }));
    expect(() => ext.intercept("turn_start", () => undefined)).toThrow("has its handler already");
  });

  test("event payloads are typed by the event's name", () => {
    ext.on("turn_end", (event) => expectTypeOf(event.error).toEqualTypeOf<string | undefined>());
    ext.on("tool_call", (event) => expectTypeOf(event.args).toBeUnknown());
    ext.intercept("before_agent_start", (event) => {
      expectTypeOf(event.systemPrompt).toBeString();
      return { systemPrompt: "" };
    });
    expect(() => ext.host).toThrow("known from hello_ack on");
  });
});
