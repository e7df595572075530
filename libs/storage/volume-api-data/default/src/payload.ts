import { posix } from 'node:path';
import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';

/** One file of a volume. */
export interface FileProjection {
  readonly data: Uint8Array;
  /** Permission bits; other bits are ignored. */
  readonly mode: number;
  /** UID of the owner; absent: the kubelet's user. */
  readonly ownerUid?: number;
}

/** Files by path in the volume. */
export type Payload = ReadonlyMap<string, FileProjection>;

const longestPath = 4096;
const longestName = 255;

/**
 * Normalizes the paths, so that `a//b/./c` becomes `a/b/c`.
 * @throws KubeletError `invalid-argument` with upstream's text for a path that leaves the volume or belongs to the
 * writer. Source: kubernetes v1.36 pkg/volume/util/atomic_writer.go validatePayload.
 */
export function cleanPayload(payload: Payload): Payload {
  const clean = new Map<string, FileProjection>();
  for (const [path, file] of payload) {
    const fault = faultOf(path);
    if (fault !== undefined) throw new KubeletError(`invalid path: ${fault}`, { code: 'invalid-argument' });
    clean.set(cleanPath(path), file);
  }
  return clean;
}

/** As Go's filepath.Clean. */
export function cleanPath(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function faultOf(path: string): string | undefined {
  if (path === '') return `must not be empty: ${goQuote(path)}`;
  if (path.startsWith('/')) return `must be relative path: ${path}`;
  if (Buffer.byteLength(path) > longestPath) return `must be less than or equal to ${longestPath} characters`;
  const names = path.split('/');
  for (const name of names) {
    if (name === '..') return `must not contain '..': ${path}`;
    if (Buffer.byteLength(name) > longestName) {
      return `filenames must be less than or equal to ${longestName} characters`;
    }
  }
  return names[0]?.startsWith('..') === true ? `must not start with '..': ${path}` : undefined;
}
