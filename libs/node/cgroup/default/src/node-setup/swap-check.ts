import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { absentIs } from '@podwright/cgroup-files';
import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import { runsInUserNamespace } from '@podwright/machine';

export interface SwapCheckDeps {
  readonly hostRoot: string;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'event'> | undefined;
  /** Default: the running kernel's, such as `6.1.0-18-amd64`. */
  readonly kernelRelease?: string;
}

/**
 * Rejects on a node with swap when `failSwapOn`; otherwise warns when memory-backed volumes may be swapped to disk.
 * Source: kubernetes v1.36 pkg/kubelet/util/swap/swap_util.go, pkg/kubelet/cm/container_manager_linux.go
 * NewContainerManager.
 */
export async function checkSwap(failSwapOn: boolean, deps: SwapCheckDeps): Promise<void> {
  const { hostRoot, logger, events, kernelRelease = os.release() } = deps;
  const swaps = await readFile(path.join(hostRoot, 'proc/swaps'), 'utf8').catch(absentIs(''));
  if (swaps.trim().split('\n').length <= 1) return;
  logger.info('Swap is on', { '/proc/swaps contents': swaps.trim() });
  if (failSwapOn)
    throw new KubeletError(
      'running with swap on is not supported, please disable swap or set --fail-swap-on flag to false',
      { code: 'failed-precondition' },
    );
  if (knowsTmpfsNoswap(kernelRelease) && !(await runsInUserNamespace(hostRoot))) return;
  events?.event(
    { kind: 'Node' },
    'Warning',
    'PossibleMemoryBackedVolumesOnDisk',
    'The tmpfs noswap option is not supported. Memory-backed volumes (e.g. secrets, emptyDirs, etc.) might be swapped to disk and should no longer be considered secure.',
  );
}

/**
 * Whether the kernel's tmpfs supports `noswap`: since Linux 6.4, but not in user namespaces. Source: kubernetes v1.36 pkg/util/kernel/constants.go
 * TmpfsNoswapSupportKernelVersion.
 */
function knowsTmpfsNoswap(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  return major > 6 || (major === 6 && minor >= 4);
}
