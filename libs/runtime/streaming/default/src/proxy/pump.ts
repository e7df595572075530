import type { Readable, Writable } from 'node:stream';

/**
 * Copies bytes from `source` to `sink` as fast as the sink accepts them; only the two streams buffer. Calls `moved` for
 * each piece, and `ended` once after the source has ended and the sink was ended too. Returns a function that stops
 * copying.
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
