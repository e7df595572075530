import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';

/**
 * Each text compressed and on its way before the next one is taken. Ends and fails as `texts` does, and ends `texts` when
 * its reader does.
 */
export function compressedStream(texts: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  // An error reaches the reader of the result.
  pipeline(Readable.from(texts, { highWaterMark: 1 }), gzip, () => undefined);
  return gzip;
}
