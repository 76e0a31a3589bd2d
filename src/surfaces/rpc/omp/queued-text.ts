import { textOf } from "../../../llm/messages.ts";
import type { Content } from "./lifecycle.ts";

/** A prompt that waits, as the client that sent it knows it. */
export function queuedText(content: Content): { readonly text: string; readonly images: object[] } {
  const images = content.flatMap((block) =>
    block.type === "image" ? [{ type: "image", data: block.data, mimeType: block.mimeType }] : [],
  );
  return { text: textOf({ content }), images };
}
