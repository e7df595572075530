import { rethrowWith } from '@podwright/errors';
import { mapLimit } from '@podwright/concurrency';
import type { CgroupStats } from '@podwright/cgroup-stats-interface';
import type { NetworkStats } from '@podwright/stats-interface';
import { CgroupIndex } from '../readings/cgroup-index.js';
import { networkOf } from '../readings/from-cgroup.js';
import type { PodStatsOptions } from './pod-stats-source.js';
import type { RunningPods } from './running-pods.js';

export type CgroupReader = Pick<CgroupStats, 'sample' | 'samples'>;

const readAtOnce = 8;

export async function readCgroups(cgroups: CgroupReader, { maxAgeMs }: PodStatsOptions): Promise<CgroupIndex> {
  const samples = await cgroups
    .samples({ maxAgeMs, detail: 'usage' })
    .catch(rethrowWith('failed to fetch cgroup stats'));
  return new CgroupIndex(samples);
}

/** Reads the network statistics of sandboxes, by sandbox id. */
export async function readNetworks(
  cgroups: CgroupReader,
  index: CgroupIndex,
  { containersBySandbox }: RunningPods,
  sandboxIds: readonly string[],
  { maxAgeMs, signal }: PodStatsOptions,
): Promise<ReadonlyMap<string, NetworkStats>> {
  const networks = new Map<string, NetworkStats>();
  const read = async (id: string): Promise<void> => {
    const path = index.container(id)?.path;
    if (path === undefined) return;
    const network = (containersBySandbox.get(id) ?? []).flatMap(
      (container) => index.container(container.id)?.path ?? [],
    );
    const sample = await cgroups.sample(path, { maxAgeMs, detail: 'usage', network });
    const stats = sample === undefined ? undefined : networkOf(sample);
    if (stats !== undefined) networks.set(id, stats);
  };
  await mapLimit(sandboxIds, readAtOnce, read, signal);
  return networks;
}
