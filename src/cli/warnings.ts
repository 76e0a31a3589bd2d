/** Things to say before there is a screen to say them on. */
export class Warnings {
  #say: ((text: string) => void) | undefined;
  #waiting: string[] = [];

  readonly warn = (text: string): void => {
    if (this.#say === undefined) this.#waiting.push(text);
    else this.#say(text);
  };

  /** Says what has come so far, and from now on what comes. */
  to(say: (text: string) => void): void {
    this.#say = say;
    for (const text of this.#waiting.splice(0)) say(text);
  }
}
