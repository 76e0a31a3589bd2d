import { imageKind } from "../../agent/tools/image-kind.ts";
import { IMAGE_MAX_BYTES } from "../../agent/tools/limits.ts";
import type { ImageBlock } from "../../llm/messages.ts";
import { RpcError } from "./error.ts";

const DATA_URL = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A picture as a client sends it, made fit for a model: a data URL loses its head, and the bytes say what kind it is,
 * for services refuse the whole request when the two differ. Throws `RpcError` for what is no picture.
 * @param declared the type that the client names; only read to tell that it is none of ours
 */
export function readImage(declared: string, data: string): ImageBlock {
  const text = data.replace(DATA_URL, "").replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!BASE64.test(text)) throw new RpcError("image: data is not base64");
  const padded = text.replace(/=+$/, "").padEnd(Math.ceil(text.replace(/=+$/, "").length / 4) * 4, "=");
  const bytes = Buffer.from(padded, "base64");
  if (bytes.length > IMAGE_MAX_BYTES) {
    throw new RpcError(`image: larger than ${IMAGE_MAX_BYTES / 1024 / 1024} MiB`);
  }
  const mimeType = imageKind(bytes);
  if (mimeType === null) {
    const kind = declared === "" ? "the data" : JSON.stringify(declared.slice(0, 80));
    throw new RpcError(`image: ${kind} is no PNG, JPEG, GIF or WebP picture`);
  }
  return { type: "image", mimeType, data: padded };
}
