import { lastCgroupName, containerIdOf } from '@podwright/cgroup-files';
import type { CgroupSample, CgroupStats } from '@podwright/cgroup-stats-interface';
import type { CgroupRow, CgroupTree } from '@podwright/console-interface';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import { allStatuses } from '../pods/pod-row.js';

type Throttling = Pick<NonNullable<NonNullable<CgroupSample['cpu']>['cfs']>, 'periods' | 'throttledPeriods'>;

const maxAgeMs = 1_500;
const mostKnown = 20_000;

export interface CgroupOwners {
  /** `namespace/name` by UID. */
  readonly pods: ReadonlyMap<string, string>;
  /** By the bare CRI id. */
  readonly containers: ReadonlyMap<string, { readonly pod: string; readonly container: string }>;
}

/** The cgroups of the node with their use. Remembers what the last look found, for shares since then. */
export class CgroupTreeReader {
  private before = new Map<string, Throttling>();

  constructor(private readonly cgroups: Pick<CgroupStats, 'samples'>) {}

  async read(owners: CgroupOwners, nowMs: number): Promise<CgroupTree> {
    const samples = await this.cgroups.samples({ maxAgeMs });
    const before = this.before;
    this.before = new Map(
      samples
        .slice(0, mostKnown)
        .flatMap(({ path, cpu }) => (cpu?.cfs === undefined ? [] : [[path, cpu.cfs] as const])),
    );
    return { atMs: nowMs, groups: samples.map((sample) => cgroupRow(sample, owners, before.get(sample.path))) };
  }
}

export function cgroupRow(sample: CgroupSample, owners: CgroupOwners, before: Throttling | undefined): CgroupRow {
  const { path, cpu, memory, limits, processes } = sample;
  const count = processes?.threads ?? processes?.count;
  const throttled = throttledRatio(cpu?.cfs, before);
  return {
    path,
    ...ownerOf(path, owners),
    ...(cpu?.usageNanoCores !== undefined && { cpuNanoCores: cpu.usageNanoCores }),
    ...(memory !== undefined && { memoryWorkingSetBytes: memory.workingSet }),
    ...(limits.memoryLimit !== undefined && { memoryLimitBytes: limits.memoryLimit }),
    ...(count !== undefined && { pids: count }),
    ...(throttled !== undefined && { cpuThrottledRatio: throttled }),
  };
}

/** Pods, and their containers by the bare CRI id, as cgroups name them. */
export function cgroupOwners(
  pods: readonly { readonly pod: Pod; readonly status: PodStatus | undefined }[],
): CgroupOwners {
  const byUid = new Map<string, string>();
  const containers = new Map<string, { readonly pod: string; readonly container: string }>();
  for (const { pod, status } of pods) {
    const name = `${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;
    byUid.set(podUid(pod), name);
    for (const { name: container, containerID } of allStatuses(status)) {
      if (containerID !== undefined) containers.set(containerID.replace(/^[^:]+:\/\//, ''), { pod: name, container });
    }
  }
  return { pods: byUid, containers };
}

function ownerOf(path: string, { pods, containers }: CgroupOwners): Pick<CgroupRow, 'pod' | 'container'> {
  const container = containers.get(containerIdOf(path) ?? path.slice(path.lastIndexOf('/') + 1));
  if (container !== undefined) return container;
  const pod = pods.get(lastCgroupName(path).replace(/^pod/, ''));
  return pod === undefined ? {} : { pod };
}

function throttledRatio(now: Throttling | undefined, before: Throttling | undefined): number | undefined {
  if (now === undefined || before === undefined) return undefined;
  const periods = now.periods - before.periods;
  const throttled = now.throttledPeriods - before.throttledPeriods;
  return periods <= 0 || throttled < 0 ? undefined : Math.min(1, throttled / periods);
}
