import { messageOf } from './kubelet-error.js';

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'device or resource busy',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'file exists',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTCONN: 'transport endpoint is not connected',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ESTALE: 'stale NFS file handle',
};

/** A failed file system call in Go's words, such as `directory not empty`; the message of any other error. */
export function errnoWords(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return (typeof code === 'string' && Object.hasOwn(words, code) && words[code]) || messageOf(error);
}
