import * as v from "valibot";
import { faultOf } from "../../wire/schemas.ts";
import type { Command } from "./command.ts";
import { RpcError } from "./error.ts";

/** The fields of a command, checked. Throws `RpcError` that names the command and the field. */
export function readFields<T>(schema: v.GenericSchema<unknown, T>, { type, fields }: Command): T {
  const result = v.safeParse(schema, fields);
  if (result.success) return result.output;
  throw new RpcError(`${type}: ${faultOf(result.issues)}`);
}

/** A text, trimmed unless it may be empty. Throws `RpcError`. */
export function textField({ type, fields }: Command, key: string, options: { canBeEmpty?: boolean } = {}): string {
  const value = fields[key];
  if (typeof value === "string" && options.canBeEmpty === true) return value;
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new RpcError(`${type} requires a non-empty ${key}`);
}
