/** Things to say while there is no screen to say them on, before it and behind it. */
export class Warnings {
  #say: ((text: string) => void) | undefined;
  #waiting: string[] = [];

  readonly warn = (text: string): void => {
    if (this.#say === undefined) this.#waiting.push(text);
    else this.#say(text);
  };

  /** There is nowhere to say them any more, until `to` is called again. */
  hold(): void {
    this.#say = undefined;
  }

  /** Says what has come so far, and from now on what comes. */
  to(say: (text: string) => void): void {
    this.#say = say;
    for (const text of this.#waiting.splice(0)) say(text);
  }
}
