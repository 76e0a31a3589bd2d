import type { ReservedNames } from "../host/contributions/registry.ts";

/**
 * Names that no extension can take (extension-host.md §4.1, §4.2). The list of commands is closed: those of the
 * interactive surface are reserved before it exists, so that an extension that loads today still loads then.
 */
export const RESERVED: ReservedNames = {
  commands: new Set([
    "btw",
    "cd",
    "clear",
    "compact",
    "copy",
    "exit",
    "ext",
    "export",
    "fork",
    "help",
    "import",
    "jail",
    "jump",
    "login",
    "logout",
    "model",
    "quit",
    "reasoning",
    "reload-ext",
    "resume",
    "session",
    "sessions",
    "settings",
    "skills",
    "study",
    "theme",
    "unjail",
    "yolo",
  ]),
  tools: new Set(["read", "write", "edit", "bash", "skill"]),
};
