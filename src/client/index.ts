/** `zot/client`: zot as a part of another program. Runs on Node and on Bun. */
export type {
  AskAnswer,
  AskQuestion,
  DialogContext,
  DialogHandlers,
  SelectOption,
} from "./dialogs.ts";
export { ZotError, type ZotErrorCode } from "./error.ts";
export type { Fields, Frame, ImageContent, PromptError, PromptResult, TextContent } from "./frames.ts";
export type { Content, HostTool, HostToolContext, HostToolResult } from "./host-tools.ts";
export { type Prompt, type PromptOptions, ZotClient, type ZotClientOptions } from "./zot-client.ts";
