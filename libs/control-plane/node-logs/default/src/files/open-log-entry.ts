import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openContained, openForReading, type LinkPolicy } from '@podwright/contained-path';
import { KubeletError } from '@podwright/errors';

/** A file or directory below a root to which others write. The receiver closes the handle. */
export interface LogEntry {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens `path` below `root` for reading. Rejects with `not-found`, `permission-denied` (`path escapes from parent`, or
 * missing permission) or `failed-precondition` (neither file nor directory), in Go's words, which the client of a log
 * query sees.
 */
export async function openLogEntry(
  root: string,
  path: string,
  links: Extract<LinkPolicy, 'contain' | 'contain-absolute'>,
): Promise<LogEntry> {
  try {
    const entry = await openContained(root, path, links);
    return await openForReading(entry).finally(() => entry.close());
  } catch (error) {
    throw asRefusal(error, path);
  }
}

function asRefusal(error: unknown, path: string): unknown {
  const refusal = (code: 'permission-denied' | 'not-found', message: string): KubeletError =>
    new KubeletError(`statat ${path}: ${message}`, { code });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return refusal('not-found', 'no such file or directory');
  if (code === 'ENOTDIR') return refusal('not-found', 'not a directory');
  if (code === 'EACCES' || code === 'EPERM') return refusal('permission-denied', 'permission denied');
  if (!(error instanceof KubeletError)) return error;
  return new KubeletError(`statat ${path}: ${error.message}`, { code: error.code, cause: error });
}
