/**
 * A stream of bytes: a writer pushes, one reader iterates. Calls `onLeave` once, when the reader ends the iteration.
 */
export class ByteStream implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private waiting: (() => void) | undefined;
  private left = false;

  constructor(private readonly onLeave: () => void = () => undefined) {}

  /** False once the stream has ended; it drops further bytes. */
  get open(): boolean {
    return !this.ended;
  }

  push(chunk: Uint8Array | string): void {
    if (this.ended) return;
    this.chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    this.wake();
  }

  /** Ends the stream after the bytes pushed so far. */
  end(): void {
    this.ended = true;
    this.wake();
  }

  /** Drops unread bytes and throws the error in the reader, as when a connection breaks. */
  fail(error: unknown): void {
    if (this.ended) return;
    this.failure = { error };
    this.ended = true;
    this.chunks.length = 0;
    this.wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (this.chunks.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
    const value = this.chunks.shift();
    if (value !== undefined) return { done: false, value };
    this.leave();
    if (this.failure !== undefined) throw this.failure.error;
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.chunks.length = 0;
    this.end();
    this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  private wake(): void {
    this.waiting?.();
    this.waiting = undefined;
  }

  private leave(): void {
    if (this.left) return;
    this.left = true;
    this.onLeave();
  }
}
