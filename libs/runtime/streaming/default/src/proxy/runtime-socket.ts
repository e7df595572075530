import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;
type Chunks = readonly { readonly chunk: unknown; readonly encoding: BufferEncoding }[];

/**
 * A socket that stays readable after a write has failed. A runtime closes a session right after its last output; any
 * later write, even a ping, then fails. A plain socket would be destroyed, with all output that a slow client has not
 * read yet. This one drops further writes instead, and reading ends as usual.
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
