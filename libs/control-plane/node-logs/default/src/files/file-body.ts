import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { KubeletError } from '@podwright/errors';
import type { ByteRange } from './byte-ranges.js';

const chunkBytes = 64 * 1024;

/** Text, or a range of bytes of the file. */
export type BodyPart = string | ByteRange;

/**
 * Streams the parts in order, as fast as the client reads. Closes the handle at the end, or when the stream is
 * destroyed unread. Fails when the file has become shorter, because its length was already sent.
 */
export function fileBody(handle: FileHandle, parts: readonly BodyPart[]): Readable {
  const body = Readable.from(contentOf(handle, parts));
  body.once('close', () => {
    // Ignored: nothing can use the error, and the kernel frees the descriptor anyway.
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
