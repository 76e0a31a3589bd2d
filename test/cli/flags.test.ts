import { describe, expect, test } from "bun:test";
import { parseRun } from "../../src/cli/run-options.ts";

const ID = "b755cbbf-f75f-4e1c-89c3-c8fd3a468052";

describe("a flag whose value may be left out", () => {
  test.each([
    [["--resume", ID], ID, []],
    [["-r", "b755"], "b755", []],
    [[`--resume=${ID}`], ID, []],
    [["--resume"], "", []],
    [["--resume", "fix the test"], "", ["fix the test"]],
    [["fix it", "-r"], "", ["fix it"]],
    [["--resume", "--", "--resume"], "", ["--resume"]],
    [["--resume", "--no-ext"], "", []],
    [["-r", "--", "b755"], "", ["b755"]],
  ] as const)("%p", (argv, resume, words) => {
    const { values, positionals } = parseRun(argv);
    expect(values.resume).toBe(resume);
    expect(positionals).toEqual([...words]);
    expect(values["no-ext"]).toBe(argv.some((word) => word === "--no-ext") ? true : undefined);
  });
});
