#!/usr/bin/env node
// The protocol by hand: one JSON object a line, in on stdin, out on stdout. Nothing is imported, so this file runs as it
// stands in zot itself, in Node and in Bun.

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);

const receivers = {
  hello_ack() {
    send({ type: "register_command", name: "clock", description: "the time, here or in a zone such as Asia/Tokyo" });
    send({ type: "ready" });
  },
  command_invoked({ id, args }) {
    send({ type: "command_response", id, ...answer(args) });
  },
  shutdown() {
    send({ type: "shutdown_ack" });
  },
};

function answer(zone) {
  try {
    const format = new Intl.DateTimeFormat("en-GB", {
      dateStyle: "full",
      timeStyle: "long",
      timeZone: zone || undefined,
    });
    return { action: "display", display: format.format(new Date()) };
  } catch {
    // RangeError is all that the formatter throws here: there is no such zone.
    return { action: "noop", error: `unknown time zone ${JSON.stringify(zone)}; try Europe/Berlin` };
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  // Only a line feed ends a frame; what readline takes for line ends may stand inside a string.
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const frame = JSON.parse(line);
    // Unknown frames are not ours to judge: a newer host may send them.
    if (Object.hasOwn(receivers, frame.type)) receivers[frame.type](frame);
  }
});

// zot closes stdin behind `shutdown`. Then nothing is left to wait for, and the process ends by itself.
send({ type: "hello", name: "clock", version: "1.0.0", capabilities: ["commands"] });
