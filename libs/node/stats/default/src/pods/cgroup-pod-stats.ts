import { rethrowWith } from '@podwright/errors';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import type { Container, PodSandbox, PodSandboxMetadata } from '@podwright/cri-client-interface';
import type { ContainerStats, FsStats, PodStats } from '@podwright/stats-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { CgroupIndex } from '../readings/cgroup-index.js';
import { cgroupStats, cpuOf, ioOf, memoryOf, swapOf } from '../readings/from-cgroup.js';
import { wireTime } from '../readings/wire-time.js';
import type { CriPodStatsDeps } from './cri-pod-stats.js';
import { readCgroups, readNetworks } from './pod-cgroups.js';
import { containerStats, podStats, type PodParts } from './pod-parts.js';
import type { PodStatsOptions, PodStatsSource } from './pod-stats-source.js';
import { listRunningPods, type RunningPods } from './running-pods.js';
import { fsStats } from './runtime-file-systems.js';
import type { FileSystemReading } from './storage-stats.js';

export type CgroupPodStatsDeps = Pick<
  CriPodStatsDeps,
  'runtime' | 'cgroups' | 'runtimeFs' | 'storage' | 'yieldTurn'
> & {
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
};

const podsPerSlice = 10;

/**
 * Pod statistics from cgroups only, for CRI-O. The runtime provides the owner of each cgroup and the size of writable
 * layers, for which upstream walks the file system. Source: kubernetes v1.36
 * pkg/kubelet/stats/cadvisor_stats_provider.go.
 */
export class CgroupPodStats implements PodStatsSource {
  constructor(private readonly deps: CgroupPodStatsDeps) {}

  imageFs(signal: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }> {
    return this.deps.runtimeFs.split(signal);
  }

  async full(rootFs: FileSystemReading, options: PodStatsOptions): Promise<readonly PodStats[]> {
    const { cgroups, statuses, storage } = this.deps;
    const { signal } = options;
    const [running, index] = await this.read(options);
    const metadata = [...running.sandboxes.values()].flatMap((sandbox): PodSandboxMetadata[] =>
      sandbox.metadata ? [sandbox.metadata] : [],
    );
    const [files, networks, layers] = await Promise.all([
      storage.read(rootFs, metadata, signal),
      readNetworks(cgroups, index, running, [...running.sandboxes.keys()], options),
      this.layers(running, signal),
    ]);
    return this.perPod(running, index, (parts, containers) => {
      const { sandbox } = parts;
      const uid = sandbox.metadata?.uid ?? '';
      // As upstream: omit a pod whose status has no start time yet.
      const startTime = statuses.getPodStatus(uid)?.startTime;
      if (startTime === undefined) return undefined;
      for (const container of containers) {
        const sample = index.container(container.id);
        if (sample === undefined) continue;
        const name = container.metadata?.name ?? '';
        parts.containers.push(
          containerStats(cgroupStats(name, sample, 'full'), {
            rootfs: layers.get(container.id),
            logs: files.logsOf(uid, name),
          }),
        );
        addProcesses(parts, sample.processes?.count);
      }
      addProcesses(parts, index.container(sandbox.id)?.processes?.count);
      const own = index.pod(uid);
      const readings = {
        ...(own !== undefined && { ...usageOf(own), io: ioOf(own) }),
        network: networks.get(sandbox.id),
      };
      return podStats(parts, { ...readings, ...files.of(uid, parts.containers) }, new Date(startTime).toISOString());
    });
  }

  async reduced(options: PodStatsOptions): Promise<readonly PodStats[]> {
    const [running, index] = await this.read(options);
    return this.perPod(running, index, (parts, containers) => {
      for (const container of containers) {
        const sample = index.container(container.id);
        if (sample !== undefined) parts.containers.push(cgroupStats(container.metadata?.name ?? '', sample, 'reduced'));
      }
      const own = index.pod(parts.sandbox.metadata?.uid ?? '');
      const createdMs = index.container(parts.sandbox.id)?.createdMs;
      const startTime = createdMs === undefined ? undefined : wireTime(createdMs);
      return podStats(parts, own === undefined ? {} : usageOf(own), startTime);
    });
  }

  private read(options: PodStatsOptions): Promise<[RunningPods, CgroupIndex]> {
    const { runtime, cgroups } = this.deps;
    const { signal, only } = options;
    return Promise.all([
      listRunningPods(runtime, { signal, ...(only && { only }) }).catch(
        rethrowWith('failed to get pod or container map'),
      ),
      readCgroups(cgroups, options),
    ]);
  }

  /** Writable layers by container. */
  private async layers(running: RunningPods, signal: AbortSignal): Promise<ReadonlyMap<string, FsStats>> {
    const { runtime, runtimeFs } = this.deps;
    const { stats } = await runtime
      .listContainerStats({}, { signal })
      .catch(rethrowWith('failed to list all container stats'));
    const layers = new Map<string, FsStats>();
    for (const { attributes, writableLayer } of stats) {
      if (attributes === undefined || writableLayer === undefined || !running.containers.has(attributes.id)) continue;
      layers.set(attributes.id, fsStats(writableLayer, await runtimeFs.numbers(writableLayer.fsId, signal)));
    }
    return layers;
  }

  private async perPod(
    running: RunningPods,
    index: CgroupIndex,
    make: (parts: PodParts, containers: readonly Container[]) => PodStats | undefined,
  ): Promise<readonly PodStats[]> {
    const { containersBySandbox: bySandbox } = running;
    const isThere = ({ id }: PodSandbox): boolean =>
      hasUsage(index.container(id)) || (bySandbox.get(id) ?? []).some((one) => index.container(one.id) !== undefined);
    const pods: PodStats[] = [];
    let looked = 0;
    for (const sandbox of running.sandboxes.values()) {
      if (++looked % podsPerSlice === 0) await this.deps.yieldTurn();
      if (!isThere(sandbox)) continue;
      const parts: PodParts = { sandbox, containers: [], processes: undefined };
      const pod = make(parts, bySandbox.get(sandbox.id) ?? []);
      if (pod !== undefined) pods.push(pod);
    }
    return pods;
  }
}

/** False for the cgroup of a sandbox without a process, which CRI-O makes too: upstream takes it for an ended container. */
const hasUsage = (sample: CgroupSample | undefined): boolean =>
  (sample?.cpu?.usageNanoCores ?? 0) !== 0 || (sample?.memory?.rss ?? 0) !== 0;

function usageOf(sample: Parameters<typeof cpuOf>[0]): Pick<ContainerStats, 'cpu' | 'memory' | 'swap'> {
  const swap = swapOf(sample);
  return { cpu: cpuOf(sample), memory: memoryOf(sample), ...(swap !== undefined && { swap }) };
}

function addProcesses(parts: PodParts, count: number | undefined): void {
  if (count !== undefined) parts.processes = (parts.processes ?? 0) + count;
}
