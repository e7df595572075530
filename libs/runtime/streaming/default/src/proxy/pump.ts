import type { Readable, Writable } from 'node:stream';

/**
 * Moves bytes from `source` to `sink` as fast as the sink takes them; what is on the way is bounded by the two streams' own
 * buffers. `moved` is called for each piece, `ended` once when the source has said its last and the sink was told so.
 * Returns a function that stops it where it is.
 */
export function pump(source: Readable, sink: Writable, moved: () => void, ended: () => void): () => void {
  const resume = (): void => {
    source.resume();
  };
  const take = (chunk: Uint8Array): void => {
    moved();
    if (!sink.write(chunk)) {
      source.pause();
      sink.once('drain', resume);
    }
  };
  const finish = (): void => {
    sink.end();
    ended();
  };
  source.on('data', take).once('end', finish);
  source.resume();
  return () => {
    source.off('data', take).off('end', finish);
    sink.off('drain', resume);
    source.pause();
  };
}
