import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { KubeletError } from '@podwright/errors';
import type { ByteRange } from './byte-ranges.js';

const chunkBytes = 64 * 1024;

/** Text, or bytes of the file. */
export type BodyPart = string | ByteRange;

/**
 * The parts in turn, read as the client takes them. The handle is closed at the end, or when the stream is destroyed without having
 * been read. A file that has become shorter breaks the stream, as its length was told.
 */
export function fileBody(handle: FileHandle, parts: readonly BodyPart[]): Readable {
  const body = Readable.from(contentOf(handle, parts));
  body.once('close', () => {
    // Nobody is left to tell, and the kernel frees it in any case.
    handle.close().catch(() => undefined);
  });
  return body;
}

async function* contentOf(handle: FileHandle, parts: readonly BodyPart[]): AsyncGenerator<Uint8Array | string> {
  for (const part of parts) {
    if (typeof part === 'string') {
      yield part;
      continue;
    }
    const end = part.start + part.length;
    for (let position = part.start; position < end;) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - position));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) throw new KubeletError('the file became shorter', { code: 'aborted' });
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
