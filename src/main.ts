import { version } from "./cli/version.ts";

// Nothing but dispatch: whatever this file imports statically is paid for by `--version` and by every extension
// that runs in this executable.
const args = process.argv.slice(2);
const [first, second] = args;

if (first === "__run-ext" && second !== undefined) {
  const { runExtension } = await import("./cli/run-ext.ts");
  await runExtension(second, args.slice(2));
} else if (args.length === 1 && (first === "--version" || first === "-v")) {
  console.log(version);
} else {
  const { main } = await import("./cli/root.ts");
  await main(args);
}
