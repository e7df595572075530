import type { CgroupStats } from '@podwright/cgroup-stats-interface';
import { KubeletError } from '@podwright/errors';
import type { FailureLog } from '@podwright/logging';
import type { ContainerStats } from '@podwright/stats-interface';
import { cgroupStats } from '../readings/from-cgroup.js';
import { wireTime } from '../readings/wire-time.js';

export interface SystemContainersOptions {
  readonly form: 'full' | 'reduced';
  readonly maxAgeMs: number;
  readonly kubeletStartedMs: number;
}

/**
 * Cgroups with a special role, by upstream's names; omits those not configured or not readable.
 * Source: kubernetes v1.36 pkg/kubelet/server/stats/summary_sys_containers.go.
 */
export async function systemContainers(
  cgroups: Pick<CgroupStats, 'sample' | 'roots'>,
  failureLog: FailureLog,
  { form, maxAgeMs, kubeletStartedMs }: SystemContainersOptions,
): Promise<readonly ContainerStats[]> {
  const { kubelet, runtime, system, pods } = cgroups.roots();
  const named = [
    ['kubelet', kubelet],
    ['runtime', runtime],
    ['misc', system],
    ['pods', pods],
  ] as const;
  const read = named.map(async ([name, path]): Promise<readonly ContainerStats[]> => {
    if (path === undefined || path === '') return [];
    try {
      const sample = await cgroups.sample(path, { maxAgeMs, detail: 'usage' });
      if (sample === undefined) throw new KubeletError('there is no such cgroup', { code: 'not-found' });
      const stats = cgroupStats(name, sample, form);
      return [name === 'kubelet' ? { ...stats, startTime: wireTime(kubeletStartedMs) } : stats];
    } catch (error) {
      failureLog.failed(path, 'Failed to get system container stats', { containerName: path, error });
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}
