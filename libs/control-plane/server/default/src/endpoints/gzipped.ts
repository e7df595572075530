import { Readable, pipeline } from 'node:stream';

/** The same content in gzip, made off the event loop as it is asked for; `level` as zlib's, 1 = fastest. Ends with its source. */
export async function gzipped(content: AsyncIterable<Uint8Array | string>, level?: number): Promise<Readable> {
  // Loaded by whom it serves: most nodes are never asked for it.
  const { createGzip } = await import('node:zlib');
  const source = Readable.from(content);
  const gzip = createGzip(level === undefined ? {} : { level });
  // The error reaches whoever reads the compressed end.
  pipeline(source, gzip, (error) => {
    if (error) gzip.destroy(error);
  });
  return gzip;
}
