import { readFile } from 'node:fs/promises';
import { release } from 'node:os';

/**
 * tmpfs learned `noswap` in Linux 6.4, and refuses it in user namespaces. Kernels that have it ported back are not
 * asked. Source: kubernetes v1.36 pkg/kubelet/util/swap.
 */
export async function supportsNoSwap(version: string = release(), uidMapPath = '/proc/self/uid_map'): Promise<boolean> {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major < 6 || (major === 6 && minor < 4)) return false;
  const uidMap = await readFile(uidMapPath, 'utf8').catch(() => ''); // no such file: no user namespaces either
  const [inside, outside, count] = uidMap.trim().split(/\s+/);
  return uidMap === '' || (inside === '0' && outside === '0' && count === '4294967295');
}
