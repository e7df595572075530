import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

export interface FileTail {
  readonly data: Buffer;
  /** Size of the whole file. */
  readonly size: number;
}

/**
 * The last `limit` bytes of a regular file. Containers can write what is read here, so a link in place of the file is
 * not followed and a pipe does not make the kubelet wait: both reject.
 */
export async function readTail(path: string, limit: number): Promise<FileTail> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    const { size } = stats;
    if (!stats.isFile()) throw new KubeletError(`${path} is not a regular file`, { code: 'failed-precondition' });
    const length = Math.min(size, limit);
    const data = Buffer.alloc(length);
    const { bytesRead } = await file.read(data, 0, length, size - length);
    return { data: data.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}
