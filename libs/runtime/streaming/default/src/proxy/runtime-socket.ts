import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;
type Chunks = readonly { readonly chunk: unknown; readonly encoding: BufferEncoding }[];

/**
 * A socket that goes on being read when its peer takes no more. A runtime closes a session as soon as it has said its last,
 * and what a client sends after that, a ping is enough, breaks the sending direction; a plain socket is destroyed then, with
 * all that the runtime had said and that a slow client had not fetched yet. What cannot be sent is dropped instead, and the end
 * is noticed where it is read.
 */
export class RuntimeSocket extends Socket {
  private deaf = false;

  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    if (this.deaf) return done();
    super._write(chunk, encoding, (error) => this.sent(error, done));
  }

  override _writev(chunks: Chunks, done: Done): void {
    if (this.deaf) return done();
    super._writev?.(chunks as { chunk: unknown; encoding: BufferEncoding }[], (error) => this.sent(error, done));
  }

  override _final(done: Done): void {
    if (this.deaf) return done();
    super._final((error) => this.sent(error, done));
  }

  private sent(error: Error | null | undefined, done: Done): void {
    if (error !== null && error !== undefined) this.deaf = true;
    done();
  }
}
