import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { acceptsEncoding } from './accepts-encoding.js';
import type { ConsoleFile, ConsoleFiles } from './console-files.js';

const unpack = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };
const forever = 'public, max-age=31536000, immutable';

/** A file of the pages, in a form that the client reads. */
export async function fileAnswer(
  files: ConsoleFiles,
  name: string,
  request: Pick<ServerRequest, 'headers'>,
): Promise<Answer> {
  const file = await files.read(name);
  if (file === undefined) return missing(name);
  const tag = `"${file.hash}"`;
  const caching = { 'Cache-Control': name.startsWith('assets/') ? forever : 'no-cache', ETag: tag };
  if (request.headers['if-none-match'] === tag) return { status: 304, headers: caching, body: '' };
  // The API server's node proxy rewrites links in HTML, and breaks off HTML in brotli, which it cannot read.
  const isPacked = !file.type.startsWith('text/html') && acceptsEncoding(request, file.encoding);
  const encoding = isPacked ? file.encoding : 'identity';
  const encoded = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  return {
    status: 200,
    headers: { 'Content-Type': file.type, Vary: 'Accept-Encoding', ...caching, ...encoded },
    body: encoding === file.encoding ? file.bytes : await unpacked(file),
  };
}

function missing(name: string): Answer {
  return name === 'index.html'
    ? text(
        404,
        'this kubelet was built without the pages of the console; its data is at console/live and console/data/\n',
      )
    : text(404, 'no such file\n');
}

async function unpacked({ bytes, encoding }: ConsoleFile): Promise<Uint8Array> {
  return encoding === 'identity' ? bytes : unpack[encoding](bytes);
}
