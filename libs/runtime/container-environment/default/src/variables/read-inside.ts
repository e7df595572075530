import type { FileHandle } from 'node:fs/promises';
import { variableOfBytes } from '@podwright/container-environment-interface';
import { openContained, openForReading } from '@podwright/contained-path';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';

/**
 * Content of a file below `root`, where containers can write. Links resolve as if `root` were `/`. Rejects with
 * `permission-denied` unless it is a regular file of at most `mostBytes`; undefined when it does not exist. Source:
 * kubernetes v1.36 securejoin.SecureJoin, which only resolves the links.
 */
export async function readInside(root: string, path: string, mostBytes: number): Promise<string | undefined> {
  let entry: FileHandle;
  try {
    entry = await openContained(root, path, 'chroot');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw hasCode(error, 'permission-denied') ? refused(messageOf(error)) : error;
  }
  try {
    const stats = await entry.stat();
    if (!stats.isFile()) throw refused('it is no regular file');
    if (stats.size > mostBytes) throw refused(`it is larger than ${mostBytes} bytes`);
    const { handle } = await openForReading(entry);
    return await readBounded(handle, mostBytes).finally(() => handle.close());
  } finally {
    await entry.close();
  }
}

async function readBounded(file: FileHandle, mostBytes: number): Promise<string> {
  // The file may grow while it is read.
  const buffer = Buffer.alloc(mostBytes);
  let length = 0;
  for (let got = -1; got !== 0 && length < mostBytes; length += got) {
    got = (await file.read(buffer, length, mostBytes - length, length)).bytesRead;
  }
  return variableOfBytes(buffer.subarray(0, length));
}

function refused(problem: string): KubeletError {
  return new KubeletError(`cannot read the file: ${problem}`, { code: 'permission-denied' });
}
