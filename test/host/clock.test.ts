import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { CallClock } from "../../src/host/connection/call-clock.ts";
import { Deadline } from "../../src/host/connection/deadline.ts";

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number): void => {
  jest.advanceTimersByTime(ms);
};

describe("a deadline", () => {
  test("expires once, after its time and not before", () => {
    let expired = 0;
    using _deadline = new Deadline(100, () => {
      expired += 1;
    });
    pass(99);
    expect(expired).toBe(0);
    pass(1);
    pass(1_000);
    expect(expired).toBe(1);
  });

  test("goes on after a pause with what was left", () => {
    let expired = false;
    using deadline = new Deadline(100, () => {
      expired = true;
    });
    pass(60);
    deadline.pause();
    pass(10_000);
    deadline.resume();
    pass(39);
    expect(expired).toBe(false);
    pass(1);
    expect(expired).toBe(true);
  });

  test("nests its pauses, and a resume too many does nothing", () => {
    let expired = false;
    using deadline = new Deadline(100, () => {
      expired = true;
    });
    deadline.resume();
    deadline.pause();
    deadline.pause();
    deadline.resume();
    pass(1_000);
    expect(expired).toBe(false);
    deadline.resume();
    pass(100);
    expect(expired).toBe(true);
  });

  test("never expires once it is disposed, nor again once it is over", () => {
    let expired = 0;
    const disposed = new Deadline(100, () => {
      expired += 1;
    });
    disposed.pause();
    disposed[Symbol.dispose]();
    disposed.resume();
    using over = new Deadline(50, () => {
      expired += 10;
    });
    pass(50);
    over.pause();
    over.resume();
    pass(1_000);
    expect(expired).toBe(10);
  });

  test("longer than a timer can be does not expire at once", () => {
    let expired = false;
    using _deadline = new Deadline(2 ** 40, () => {
      expired = true;
    });
    pass(1_000);
    expect(expired).toBe(false);
  });
});

describe("the clock of calls", () => {
  test("stands still for all deadlines while anybody holds it, also for those that begin meanwhile", () => {
    const clock = new CallClock();
    const expired: string[] = [];
    using _early = clock.deadline(100, () => expired.push("early"));
    pass(50);
    const [first, second] = [clock.hold(), clock.hold()];
    using _late = clock.deadline(70, () => expired.push("late"));
    pass(500);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    pass(500);
    expect(expired).toEqual([]);
    second[Symbol.dispose]();
    pass(50);
    expect(expired).toEqual(["early"]);
    pass(20);
    expect(expired).toEqual(["early", "late"]);
  });

  test("forgets a deadline that is disposed while it stands still", () => {
    const clock = new CallClock();
    let expired = false;
    const deadline = clock.deadline(10, () => {
      expired = true;
    });
    const hold = clock.hold();
    deadline[Symbol.dispose]();
    hold[Symbol.dispose]();
    pass(1_000);
    expect(expired).toBe(false);
  });
});
