import { hasCode, isMissing, KubeletError, messageOf } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';

/**
 * The error when a log cannot be opened: `not-found` or `failed-precondition`. Upstream's message: it resolves links
 * first.
 */
export function openError(path: string, error: unknown): KubeletError {
  if (isMissing(error)) {
    const message = `failed to try resolving symlinks in path ${goQuote(path)}: lstat ${path}: no such file or directory`;
    return new KubeletError(message, { code: 'not-found', cause: error });
  }
  if (hasCode(error, 'failed-precondition')) return refused(path, 'it is no regular file', error);
  const { code } = error as NodeJS.ErrnoException;
  // Opened without following links, a link gives ELOOP in place of a file and ENOTDIR in place of a folder.
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
