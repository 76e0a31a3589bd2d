import { consoleToStderr } from "./console.ts";

// Before anything else of the extension has a chance to print.
consoleToStderr();

export * from "./api.ts";
