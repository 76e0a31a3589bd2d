/** Correlation ids: a letter for the kind and a counter, so that shell scripts can cut them out (§4.6, defect 26). */
export class IdSource {
  #last = 0;

  next(kind: "c" | "t" | "i" | "u"): string {
    this.#last += 1;
    return `${kind}${this.#last}`;
  }
}
