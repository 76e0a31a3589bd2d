import type { ExtensionHost } from "../host/host.ts";

/** What a human has to know of extensions that came with the project, which nobody was asked about; undefined for none. */
export function projectExtensionsText(host: Pick<ExtensionHost, "extensions">): string | undefined {
  const names = host.extensions.filter(({ scope }) => scope === "project").map(({ name }) => name);
  if (names.length === 0) return undefined;
  return `extensions of this project run: ${names.join(", ")} (--no-ext leaves them out)`;
}
