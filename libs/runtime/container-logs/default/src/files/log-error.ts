import { KubeletError, messageOf } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';

/** In the words of upstream, which resolves links before it opens a log. */
export function openError(path: string, error: unknown): KubeletError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    const message = `failed to try resolving symlinks in path ${goQuote(path)}: lstat ${path}: no such file or directory`;
    return new KubeletError(message, { code: 'not-found', cause: error });
  }
  // Without following, the kernel says ELOOP of a link in place of a file and ENOTDIR of one in place of a folder.
  if (code === 'ELOOP' || code === 'ENOTDIR') return refused(path, 'links are not followed', error);
  return refused(path, messageOf(error), error);
}

export function refused(path: string, problem: string, cause?: unknown): KubeletError {
  const message = `failed to open log file ${goQuote(path)}: ${problem}`;
  return new KubeletError(message, { code: 'failed-precondition', ...(cause !== undefined && { cause }) });
}

export function readError(path: string, error: unknown): KubeletError {
  const message = `failed to read log file ${goQuote(path)}: ${messageOf(error)}`;
  return new KubeletError(message, { code: 'internal', cause: error });
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
