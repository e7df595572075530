import { mkdir, mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { MountTools } from '@podwright/filesystem';

export interface NoSwapProbe {
  readonly mounts: Pick<MountTools, 'mount' | 'unmount'>;
  /** Where to try a mount; made when it is missing. */
  readonly directory: string;
  /** Default: that of the kernel. */
  readonly kernelRelease?: string;
  /** Default: `/proc/self/uid_map`. */
  readonly uidMapPath?: string;
}

/**
 * Whether tmpfs supports `noswap`: since Linux 6.4, or where a mount with it succeeds; never in user namespaces. Source:
 * kubernetes v1.36 pkg/kubelet/util/swap.
 */
export async function supportsNoSwap(probe: NoSwapProbe): Promise<boolean> {
  const { kernelRelease = release(), uidMapPath = '/proc/self/uid_map' } = probe;
  const uidMap = await readFile(uidMapPath, 'utf8').catch(() => ''); // no such file: no user namespaces either
  const [inside, outside, count] = uidMap.trim().split(/\s+/);
  if (uidMap !== '' && !(inside === '0' && outside === '0' && count === '4294967295')) return false;
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  return major > 6 || (major === 6 && minor >= 4) || mountsNoSwap(probe);
}

async function mountsNoSwap({ mounts, directory }: NoSwapProbe): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const target = await mkdtemp(join(directory, 'tmpfs-noswap-test-'));
  try {
    await mounts.mount({ source: 'tmpfs', target, fsType: 'tmpfs', options: ['noswap'] });
  } catch {
    await rmdir(target);
    return false;
  }
  await mounts.unmount(target);
  await rmdir(target);
  return true;
}
