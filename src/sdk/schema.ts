export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
export type JsonScalar = string | number | boolean | null;

/**
 * JSON Schema as far as the SDK reads it: these keywords decide the type of a tool's arguments and are checked before
 * its handler runs. Any other keyword reaches the model and nobody else.
 */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Only `false` is checked. */
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly JsonScalar[];
  readonly const?: JsonScalar;
  readonly [keyword: string]: unknown;
}

/** The arguments of a tool are always an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: "object";
}

/** The TypeScript type of the values that the literal schema `S` describes; `unknown` where it does not say. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: readonly (infer T)[] }
      ? FromType<T, S>
      : S extends { readonly type: infer T }
        ? FromType<T, S>
        : unknown;

interface Scalars {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/** Distributes over `T`, so that `["string", "null"]` becomes `string | null`. */
type FromType<T, S> = T extends keyof Scalars
  ? Scalars[T]
  : T extends "array"
    ? FromArray<S>
    : T extends "object"
      ? FromObject<S>
      : unknown;

type FromArray<S> = S extends { readonly items: infer I } ? FromSchema<I>[] : unknown[];

type FromObject<S> = S extends { readonly properties: infer P }
  ? Flat<
      { -readonly [K in keyof P as K extends RequiredKeys<S> ? K : never]: FromSchema<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredKeys<S> ? never : K]?: FromSchema<P[K]>;
      }
    >
  : Record<string, unknown>;

type RequiredKeys<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

/** One object type in place of an intersection: what editors show on hover. */
type Flat<T> = { [K in keyof T]: T[K] };
