/** The fuzzy search, loaded by whoever searches first and not by every start. */
export async function loadFuzzysort() {
  return (await import("fuzzysort")).default;
}
