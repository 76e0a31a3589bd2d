import * as v from "valibot";
import type { ImageBlock, TextBlock } from "../../../llm/messages.ts";
import type { Command } from "../command.ts";
import { RpcError } from "../error.ts";
import { readFields } from "../fields.ts";
import { readImage } from "../image.ts";

const helloSchema = v.looseObject({
  token: v.optional(v.unknown()),
  features: v.nullish(v.array(v.string()), () => []),
});

const promptSchema = v.looseObject({
  message: v.nullish(v.string(), ""),
  images: v.nullish(v.array(v.looseObject({ mime_type: v.nullish(v.string(), ""), data: v.string() })), () => []),
});

/** What a client shows and can do. Throws `RpcError`. */
export function helloOf(command: Command): { readonly token?: unknown; readonly features: readonly string[] } {
  const { token, features } = readFields(helloSchema, command);
  return { token, features: features ?? [] };
}

/** What a `prompt` says. Throws `RpcError` for one that says nothing, and for a picture that is none. */
export function promptOf(command: Command): readonly (TextBlock | ImageBlock)[] {
  const { message, images } = readFields(promptSchema, command);
  const blocks = (images ?? []).map(({ mime_type, data }) => readImage(mime_type ?? "", data));
  const text = message ?? "";
  if (text.trim() === "" && blocks.length === 0) throw new RpcError("prompt: message is empty");
  return text.trim() === "" ? blocks : [{ type: "text", text }, ...blocks];
}
