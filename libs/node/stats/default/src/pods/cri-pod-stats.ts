import type {
  Container,
  ContainerStats as CriContainerStats,
  PodSandbox,
  PodSandboxMetadata,
  PodSandboxStats,
  RuntimeService,
} from '@podwright/cri-client-interface';
import { hasCode, rethrowAsRpc, rethrowWith } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ContainerStats, FsStats, PodStats } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';
import type { FileSystemNumbers } from '../disk-usage/disk-usage.js';
import type { CgroupIndex } from '../readings/cgroup-index.js';
import { cpuOf, ioOf, memoryOf, swapOf } from '../readings/from-cgroup.js';
import { criContainerStats, criCpu, criIo, criMemory, criNetwork, numberOf, type Form } from '../readings/from-cri.js';
import type { UsageNanoCores } from '../readings/usage-nano-cores.js';
import { readCgroups, readNetworks, type CgroupReader } from './pod-cgroups.js';
import { containerStats, podStats, type PodParts } from './pod-parts.js';
import type { PodStatsOptions, PodStatsSource } from './pod-stats-source.js';
import type { PodStorage, PodStorageReading } from './pod-storage.js';
import { sumOfCpu, sumOfMemory, sumOfSwap } from './pod-sums.js';
import { grouped, listRunningPods, type RunningPods } from './running-pods.js';
import { fsStats, type RuntimeFileSystems } from './runtime-file-systems.js';
import type { FileSystemReading } from './storage-stats.js';

export type StatsRuntime = Pick<
  RuntimeService,
  'listContainers' | 'listPodSandbox' | 'listContainerStats' | 'listPodSandboxStats'
>;

export interface CriPodStatsDeps {
  readonly runtime: StatsRuntime;
  readonly cgroups: CgroupReader;
  readonly runtimeFs: RuntimeFileSystems;
  readonly storage: PodStorage;
  readonly usageNanoCores: UsageNanoCores;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly yieldTurn: () => Promise<void>;
}

// Some hundred microseconds of work before the event loop gets a turn.
const podsPerSlice = 10;

/** What the full form adds to CPU, memory and swap. */
interface Files {
  readonly storage: PodStorageReading;
  readonly layers: ReadonlyMap<string, FileSystemNumbers | undefined>;
}

/**
 * Pod statistics of the runtime, overridden by the numbers of cgroups; with `strict`, those of the runtime only.
 * Source: kubernetes v1.36 pkg/kubelet/stats/cri_stats_provider.go.
 */
export class CriPodStats implements PodStatsSource {
  /** `strict`: feature gate PodAndContainerStatsFromCRI. */
  constructor(
    private readonly deps: CriPodStatsDeps,
    private readonly strict: boolean,
  ) {}

  imageFs(signal: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }> {
    return this.deps.runtimeFs.joined(signal);
  }

  full(rootFs: FileSystemReading, options: PodStatsOptions): Promise<readonly PodStats[]> {
    return this.list(rootFs, options);
  }

  reduced(options: PodStatsOptions): Promise<readonly PodStats[]> {
    return this.list(undefined, options);
  }

  /** Returns the full form when given a root file system, otherwise the reduced one. */
  private async list(rootFs: FileSystemReading | undefined, options: PodStatsOptions): Promise<readonly PodStats[]> {
    const { runtime, usageNanoCores, clock, logger } = this.deps;
    const { signal, only } = options;
    const running = await listRunningPods(runtime, { signal, ...(only && { only }) }).catch(
      rethrowWith('failed to get pod or container map'),
    );
    const storage = rootFs === undefined ? undefined : this.readStorage(rootFs, running, signal);
    // Awaited below, unless another reading fails first.
    storage?.catch(() => undefined);
    if (this.strict) {
      try {
        const { stats } = await runtime.listPodSandboxStats({}, { signal }).catch(rethrowAsRpc);
        return await this.fromSandboxes(stats, running, storage, signal);
      } catch (error) {
        if (!hasCode(error, 'unimplemented')) throw error;
        const message = 'CRI implementation must be updated to support ListPodSandboxStats';
        logger.debug(5, message, { featureGate: 'PodAndContainerStatsFromCRI', error });
      }
    }
    const pods = await this.fromContainers(running, storage, options);
    usageNanoCores.forgetOld(clock.now());
    return pods;
  }

  private readStorage(
    rootFs: FileSystemReading,
    { sandboxes }: RunningPods,
    signal: AbortSignal,
  ): Promise<PodStorageReading> {
    const pods = [...sandboxes.values()].flatMap(({ metadata }): PodSandboxMetadata[] => (metadata ? [metadata] : []));
    return this.deps.storage.read(rootFs, pods, signal);
  }

  private async fromContainers(
    running: RunningPods,
    storage: Promise<PodStorageReading> | undefined,
    options: PodStatsOptions,
  ): Promise<readonly PodStats[]> {
    const { runtime, cgroups } = this.deps;
    const { signal } = options;
    const [{ stats }, index] = await Promise.all([
      runtime
        .listContainerStats({}, { signal })
        .catch(rethrowAsRpc)
        .catch(rethrowWith('failed to list all container stats')),
      readCgroups(cgroups, options),
    ]);
    const byPod = grouped(stats, ({ attributes }) => {
      const sandboxId = running.containers.get(attributes?.id ?? '')?.podSandboxId;
      return sandboxId !== undefined && running.sandboxes.has(sandboxId) ? sandboxId : undefined;
    });
    const files = await this.readFiles(storage, stats, signal);
    const ids = [...byPod.keys()];
    const networks = files === undefined ? undefined : await readNetworks(cgroups, index, running, ids, options);
    return this.perPod(running.sandboxes, (sandbox) => {
      const containers = byPod.get(sandbox.id);
      if (containers === undefined) return undefined;
      const parts: PodParts = { sandbox, containers: [], processes: undefined };
      for (const container of containers) this.addContainer(parts, container, running, files, index);
      return this.finish(parts, index, files, networks?.get(sandbox.id));
    });
  }

  private finish(
    parts: PodParts,
    index: CgroupIndex,
    files: Files | undefined,
    network: PodStats['network'],
  ): PodStats {
    const uid = parts.sandbox.metadata?.uid ?? '';
    const own = index.pod(uid);
    const { containers } = parts;
    const usage =
      own === undefined
        ? { cpu: sumOfCpu(containers), memory: sumOfMemory(containers), swap: sumOfSwap(containers) }
        : { cpu: cpuOf(own), memory: memoryOf(own), swap: swapOf(own) };
    if (files === undefined) return podStats(parts, usage);
    // Without a pod cgroup there is a time but no pressure, which cannot be summed.
    const ioTime = containers[containers.length - 1]?.io?.time;
    const io = own !== undefined ? ioOf(own) : ioTime === undefined ? undefined : { time: ioTime };
    return podStats(parts, { ...usage, io, network, ...files.storage.of(uid, containers) });
  }

  private addContainer(
    parts: PodParts,
    stats: CriContainerStats,
    running: RunningPods,
    files: Files | undefined,
    index: CgroupIndex,
  ): void {
    const container = running.containers.get(stats.attributes?.id ?? '');
    if (container === undefined) return;
    const base = this.base(parts.sandbox, container, stats, files);
    const sample = index.container(container.id);
    if (sample === undefined) return void parts.containers.push(base);
    const cpu = cpuOf(sample);
    const known = base.cpu?.usageNanoCores;
    const nanoCores = cpu.usageNanoCores === undefined && known !== undefined ? { usageNanoCores: known } : {};
    parts.containers.push(
      containerStats(base, {
        cpu: { ...cpu, ...nanoCores },
        memory: memoryOf(sample),
        swap: swapOf(sample),
        ...(files !== undefined && { io: ioOf(sample) }),
      }),
    );
    if (files === undefined || sample.processes === undefined) return;
    parts.processes = (parts.processes ?? 0) + sample.processes.count;
  }

  /** What the runtime reports of a container; the full form includes its file systems. */
  private base(
    sandbox: PodSandbox,
    container: Container,
    stats: CriContainerStats,
    files: Files | undefined,
  ): ContainerStats {
    const { usageNanoCores, clock } = this.deps;
    const form: Form = files === undefined ? 'reduced' : 'full';
    const nanoCores = form === 'full' ? usageNanoCores.update(stats) : usageNanoCores.get(stats);
    const options = { form, nowMs: clock.now(), usageNanoCores: nanoCores };
    const base = criContainerStats(stats, container.createdAt, options);
    if (files === undefined) return base;
    const { writableLayer } = stats;
    const mountpoint = writableLayer?.fsId?.mountpoint ?? '';
    return containerStats(base, {
      rootfs: writableLayer === undefined ? undefined : fsStats(writableLayer, files.layers.get(mountpoint)),
      logs: files.storage.logsOf(sandbox.metadata?.uid ?? '', container.metadata?.name ?? ''),
    });
  }

  private async fromSandboxes(
    stats: readonly PodSandboxStats[],
    running: RunningPods,
    storage: Promise<PodStorageReading> | undefined,
    signal: AbortSignal,
  ): Promise<readonly PodStats[]> {
    const byId = new Map(stats.map((sandbox) => [sandbox.attributes?.id ?? '', sandbox]));
    const files = await this.readFiles(
      storage,
      stats.flatMap(({ linux }) => linux?.containers ?? []),
      signal,
    );
    return this.perPod(running.sandboxes, (sandbox) => {
      const found = byId.get(sandbox.id);
      if (found === undefined) return undefined;
      const { cpu, memory, io, network, process, containers = [] } = found.linux ?? {};
      const parts: PodParts = { sandbox, containers: [], processes: undefined };
      for (const container of containers) {
        const record = running.containers.get(container.attributes?.id ?? '');
        if (record !== undefined) parts.containers.push(this.base(sandbox, record, container, files));
      }
      const usage = { cpu: cpu && criCpu(cpu), memory: memory && criMemory(memory) };
      // The runtime knows no swap of a pod, and upstream's full form goes without.
      if (files === undefined) return podStats(parts, { ...usage, swap: sumOfSwap(parts.containers) });
      parts.processes = numberOf(process?.processCount);
      return podStats(parts, {
        ...usage,
        io: io && criIo(io),
        network: network && criNetwork(network),
        ...files.storage.of(sandbox.metadata?.uid ?? '', parts.containers),
      });
    });
  }

  /** Reads each file system of writable layers once. */
  private async readFiles(
    storage: Promise<PodStorageReading> | undefined,
    stats: readonly CriContainerStats[],
    signal: AbortSignal,
  ): Promise<Files | undefined> {
    if (storage === undefined) return undefined;
    const mountpoints = new Set(stats.flatMap(({ writableLayer }) => writableLayer?.fsId?.mountpoint ?? []));
    const layers = Promise.all(
      [...mountpoints].map(
        async (mountpoint) => [mountpoint, await this.deps.runtimeFs.numbers({ mountpoint }, signal)] as const,
      ),
    );
    const [read, found] = await Promise.all([storage, layers]);
    return { storage: read, layers: new Map(found) };
  }

  private async perPod(
    sandboxes: ReadonlyMap<string, PodSandbox>,
    make: (sandbox: PodSandbox) => PodStats | undefined,
  ): Promise<readonly PodStats[]> {
    const pods: PodStats[] = [];
    let looked = 0;
    for (const sandbox of sandboxes.values()) {
      const pod = make(sandbox);
      if (pod !== undefined) pods.push(pod);
      if (++looked % podsPerSlice === 0) await this.deps.yieldTurn();
    }
    return pods;
  }
}
