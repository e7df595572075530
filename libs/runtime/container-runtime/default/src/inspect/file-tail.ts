import type { FileHandle } from 'node:fs/promises';

export interface FileTail {
  readonly data: Buffer;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

/** Reads the last `limit` bytes of an open file and closes it. */
export async function readTail(file: FileHandle, limit: number): Promise<FileTail> {
  try {
    const { size } = await file.stat();
    const length = Math.min(size, limit);
    const data = Buffer.alloc(length);
    const { bytesRead } = await file.read(data, 0, length, size - length);
    return { data: data.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}
