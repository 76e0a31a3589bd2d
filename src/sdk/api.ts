export type { AskAnswer, AskAnswers, AskOption, AskQuestion } from "./ask.ts";
export {
  type CommandContext,
  type CommandHandler,
  type CommandOptions,
  type CommandReply,
  display,
  insert,
  noop,
  openPanel,
  prompt,
} from "./command.ts";
export type { DialogOptions, PageOptions, SelectOption, Ui } from "./dialogs.ts";
export { SdkError, type SdkErrorCode } from "./error.ts";
export type {
  AssistantMessage,
  EventHandler,
  EventName,
  Events,
  SessionChange,
  SessionEvent,
  SessionEventName,
  ToolCallEvent,
  ToolConfirmation,
  TurnEnd,
  TurnStart,
} from "./event.ts";
export { type Extension, type ExtensionOptions, extension, type NoteLevel } from "./extension.ts";
export type { IncomingFrame, OutgoingFrame } from "./frames.ts";
export type { HostInfo, SessionInfo } from "./host-info.ts";
export type {
  BeforeAgentStart,
  Block,
  Decisions,
  InterceptHandler,
  Interceptions,
  InterceptName,
  InterceptOptions,
} from "./intercept.ts";
export type { Panel, PanelKey, PanelKeyName, PanelSize } from "./panel.ts";
export type { FromSchema, JsonScalar, JsonSchema, JsonType, ObjectSchema } from "./schema.ts";
export type { SessionState, StateOptions } from "./session-state.ts";
export type { ToolContext, ToolHandler, ToolOptions } from "./tool.ts";
export { type ContentBlock, image, type ToolResult, type ToolReturn, text } from "./tool-result.ts";
export type { UriContent, UriContext, UriHandlers } from "./uri.ts";
