import type { Usage } from "../../llm/messages.ts";
import { NO_USAGE } from "../events.ts";
import { isRecord } from "./json.ts";

/** A usage as JSON text (extension-host.md §6.3). Counts are whole numbers: the readers refuse anything else. */
export function encodeUsage(usage: Usage): string {
  const known = usage.reasoning === null ? "" : ',"reasoning_tokens_known":true';
  return (
    `{"input_tokens":${count(usage.input)},"output_tokens":${count(usage.output)}` +
    `,"reasoning_tokens":${count(usage.reasoning ?? 0)}${known}` +
    `,"cache_read_tokens":${count(usage.cacheRead)},"cache_write_tokens":${count(usage.cacheWrite)}` +
    `,"cost_usd":${Number.isFinite(usage.costUsd) ? usage.costUsd : 0}}`
  );
}

/** Reads a usage leniently: what is missing or no number counts as nothing. Undefined when it is no object. */
export function decodeUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const reasoning = number(value["reasoning_tokens"]);
  // Sessions older than the marker carry the count alone.
  const isKnown = value["reasoning_tokens_known"] === true || reasoning > 0;
  return {
    input: number(value["input_tokens"]),
    output: number(value["output_tokens"]),
    reasoning: isKnown ? reasoning : NO_USAGE.reasoning,
    cacheRead: number(value["cache_read_tokens"]),
    cacheWrite: number(value["cache_write_tokens"]),
    costUsd: number(value["cost_usd"]),
  };
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.round(value), 0), Number.MAX_SAFE_INTEGER) : 0;
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
