const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** True when the name says image, which is what makes `read` look for one (extension-host.md §8.1). */
export function hasImageName(path: string): boolean {
  return IMAGE_NAME.test(path);
}

/**
 * The MIME type that the first bytes prove (12 are enough), or null. Names lie: a provider refuses a JPEG declared
 * as PNG, and with it the whole request.
 */
export function imageKind(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return null;
}
