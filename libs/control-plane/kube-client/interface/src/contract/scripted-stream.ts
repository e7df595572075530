/** A body that a spec writes piece by piece, for a watch. Like a transport's body it ends with the request's signal. */
export class ScriptedStream implements AsyncIterable<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private wake: () => void = () => undefined;
  private over = false;
  private failure: unknown;
  private left = false;

  /** True once the reader has left, or the stream has ended or failed. */
  get closed(): boolean {
    return this.left;
  }

  /** Writes the text unchanged. */
  write(text: string): void {
    this.chunks.push(Buffer.from(text));
    this.wake();
  }

  /** Writes one event of a watch. */
  event(type: string, object: unknown): void {
    this.write(`${JSON.stringify({ type, object })}\n`);
  }

  end(): void {
    this.over = true;
    this.wake();
  }

  fail(error: unknown): void {
    this.failure = error;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        for (let chunk = this.chunks.shift(); chunk !== undefined; chunk = this.chunks.shift()) yield chunk;
        if (this.failure !== undefined) throw this.failure as Error;
        if (this.over) return;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      this.left = true;
    }
  }
}
