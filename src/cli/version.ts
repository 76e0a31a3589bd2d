declare const ZOT_VERSION: string | undefined;

/** The product version; the build writes it in, a run from source says so. */
export const version: string = typeof ZOT_VERSION === "string" ? ZOT_VERSION : "0.0.0-source";
