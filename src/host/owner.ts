/** Which start of which extension something belongs to. */
export interface Owner {
  /** Manifest name. */
  readonly extension: string;
  /** Grows with every start: what belongs to an older one never touches what belongs to a newer one. */
  readonly generation: number;
}

/** The owner that an extension is, as data that outlives it. */
export function ownerOf(extension: { readonly name: string; readonly generation: number }): Owner {
  return { extension: extension.name, generation: extension.generation };
}
