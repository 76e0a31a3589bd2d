/** A command of a client that cannot be carried out; the text and the code are what the client reads. */
export class RpcError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}

/** What a client is told of any failure. */
export function faultText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
