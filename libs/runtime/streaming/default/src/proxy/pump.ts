import type { Readable, Writable } from 'node:stream';

export interface PumpFilter {
  /** The pieces to send on. */
  pass(chunk: Uint8Array): readonly Uint8Array[];
  /** What is left to send on at the end. */
  rest(): Uint8Array;
}

const passAll: PumpFilter = { pass: (chunk) => [chunk], rest: () => new Uint8Array() };

/**
 * Copies bytes from `source` to `sink` as fast as the sink accepts them; only the two streams buffer. Calls `moved` for
 * each piece, and `ended` once after the source has ended and the sink was ended too. `filter` may hold bytes back.
 * Returns a function that stops copying.
 */
export function pump(
  source: Readable,
  sink: Writable,
  moved: () => void,
  ended: () => void,
  filter: PumpFilter = passAll,
): () => void {
  const resume = (): void => {
    source.resume();
  };
  const take = (chunk: Uint8Array): void => {
    moved();
    let accepted = true;
    for (const piece of filter.pass(chunk)) accepted = sink.write(piece);
    if (!accepted) {
      source.pause();
      sink.once('drain', resume);
    }
  };
  const finish = (): void => {
    sink.end(filter.rest());
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
