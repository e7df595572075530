import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

/** Maximum size of a manifest, or of an answer of the URL source, in bytes. */
export const maxConfigBytes = 10 * 1024 * 1024;

/** Identifies the state of a file without reading it. */
export interface FileStamp {
  /** Device, inode, size, and the times of content and inode in nanoseconds. */
  readonly key: string;
  /** Time of the last change, Unix milliseconds. */
  readonly changedAtMs: number;
}

export type ManifestFile =
  /** `read()` returns the content and closes the file. */
  | {
      readonly kind: 'file';
      readonly stamp: FileStamp;
      readonly read: () => Promise<Buffer>;
      readonly close: () => Promise<void>;
    }
  | { readonly kind: 'missing' }
  /** `what`: what it is instead, for the message. */
  | { readonly kind: 'other'; readonly what: string };

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return { key: [dev, ino, size, mtimeNs, ctimeNs].join(':'), changedAtMs: Number(ctimeNs / 1_000_000n) };
}

/** The stamp's key without opening the file; undefined when there is no regular file or the check fails. */
export async function stampKeyAt(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    (stats) => (stats.isFile() ? stampOf(stats).key : undefined),
    () => undefined, // opening it will say why
  );
}

/** Opens a file for reading and follows links. Never blocks on a pipe. Rejects on errors other than a missing file. */
export async function openManifest(path: string): Promise<ManifestFile> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT')
      return (await isLink(path)) ? { kind: 'other', what: 'a link that leads nowhere' } : { kind: 'missing' };
    if (code === 'ENXIO') return { kind: 'other', what: 'a socket' };
    throw error;
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) {
      await handle.close();
      return { kind: 'other', what: stats.isDirectory() ? 'a directory' : 'a special file' };
    }
    const size = Number(stats.size);
    return { kind: 'file', stamp: stampOf(stats), read: () => readBounded(handle, size), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false, // gone meanwhile
  );
}

async function readBounded(handle: FileHandle, size: number): Promise<Buffer> {
  // The file may grow during the read, so its size only sizes the buffer.
  const buffer = Buffer.allocUnsafe(Math.min(size, maxConfigBytes) + 1);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const target = total < buffer.length ? buffer.subarray(total) : Buffer.allocUnsafe(64 * 1024);
    const { bytesRead } = await handle.read(target, 0, target.length, null);
    if (bytesRead === 0) return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxConfigBytes)
      throw new KubeletError(`is longer than ${maxConfigBytes} bytes`, { code: 'out-of-range' });
    chunks.push(target.subarray(0, bytesRead));
  }
}

export function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
