import { errorCode, systemText } from "../../host/error.ts";
import { CliError } from "../error.ts";

/** Bytes for stdout, one after the other. */
export class StdoutBytes {
  readonly #sink = Bun.stdout.writer();

  /** Resolves when they are out; false when the reader has gone away. Throws `CliError` for any other failure. */
  async write(bytes: Uint8Array | string): Promise<boolean> {
    try {
      // Either of the two may be where a large write waits, and where it fails.
      await this.#sink.write(bytes);
      await this.#sink.flush();
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "EPIPE" || code === "ECONNRESET") return false;
      throw new CliError("failed", `cannot write to stdout: ${systemText(error)}`, error);
    }
  }
}
