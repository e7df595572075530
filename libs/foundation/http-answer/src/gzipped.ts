import { Readable, pipeline } from 'node:stream';

/** Compresses content with gzip, off the event loop and only as fast as it is read. `level` is zlib's, 1 = fastest. */
export async function gzipped(content: AsyncIterable<Uint8Array | string>, level?: number): Promise<Readable> {
  // Loaded on demand, because most nodes never need it.
  const { createGzip } = await import('node:zlib');
  const source = Readable.from(content);
  const gzip = createGzip(level === undefined ? {} : { level });
  // Passes an error of the source on to the reader.
  pipeline(source, gzip, (error) => {
    if (error) gzip.destroy(error);
  });
  return gzip;
}
