import { display, extension, noop, prompt } from "zot/ext";

const ext = extension({ name: "hello", version: "1.0.0" });

ext.command("hello", { description: "let the agent greet someone" }, (name) =>
  prompt(`Greet ${name === "" ? "me" : name} in one short sentence.`),
);

ext.command("hello-here", { description: "say where we are; the model is not asked" }, (_args, { host }) =>
  display(`Hello from ${host.cwd}, where ${host.provider}/${host.model} is at work.`),
);

ext.command("hello-quiet", { description: "leave a note and nothing else" }, () => {
  ext.notify("success", "Hello, quietly.");
  return noop();
});

await ext.run();
