import os from 'node:os';
import { isAtLeast, runcShortcoming } from './runc.js';
import type { LabSupport } from './support.js';

/**
 * Whether pods of a lab with containerd 2 can have user namespaces: the kernel and runc must support id-mapped mounts.
 * Synchronous, for choosing which tests to skip.
 */
export function userNamespaceSupport(): LabSupport {
  const kernel = os.release();
  if (!isAtLeast(kernel, [6, 3])) return { ok: false, reason: `Linux ${kernel} cannot, 6.3 can` };
  const reason = runcShortcoming();
  return reason === undefined ? { ok: true } : { ok: false, reason };
}
