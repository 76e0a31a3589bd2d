import type { PromptQueue } from "../../../agent/prompt-queue.ts";
import { textOf } from "../../../llm/messages.ts";
import type { Content } from "./lifecycle.ts";

/** A prompt that waits, as the client that sent it knows it. */
export function queuedText(content: Content): { readonly text: string; readonly images: object[] } {
  const images = content.flatMap((block) =>
    block.type === "image" ? [{ type: "image", data: block.data, mimeType: block.mimeType }] : [],
  );
  return { text: textOf({ content }), images };
}

/** The texts of all prompts that wait. */
export function queueFields({ waiting }: Pick<PromptQueue, "waiting">): {
  readonly steering: string[];
  readonly followUp: string[];
} {
  const texts = (kind: string): string[] => {
    return waiting.filter((prompt) => prompt.kind === kind).map(({ content }) => queuedText(content).text);
  };
  return { steering: texts("steer"), followUp: texts("follow_up") };
}
