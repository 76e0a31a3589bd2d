/** Which of the two protocol documents an extension was written for: 1 is zot, 2 is zut. */
export type Dialect = 1 | 2;

/** Reads `hello.protocol_version`; undefined for a version that we do not speak (extension-host.md §2.3 [REQ]). */
export function dialectOf(protocolVersion: number): Dialect | undefined {
  if (protocolVersion === 0 || protocolVersion === 1) return 1;
  return protocolVersion === 2 ? 2 : undefined;
}

/** The ack carries the version under the dialect's own key only (§2.4). */
export function versionKey(dialect: Dialect): "zot_version" | "zut_version" {
  return dialect === 1 ? "zot_version" : "zut_version";
}

/** Events that an extension may intercept in this host. */
export const INTERCEPTABLE = new Set(["tool_call", "turn_start", "assistant_message", "before_agent_start"]);

/** Additions to both protocols that this host offers in `hello_ack.features`; an old reader skips the key. */
export const FEATURES = ["ui", "tool_update", "uri", "log"] as const;
