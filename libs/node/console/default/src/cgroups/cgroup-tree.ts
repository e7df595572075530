import { lastCgroupName, containerIdOf } from '@podwright/cgroup-files';
import type { CgroupSample, CgroupStats } from '@podwright/cgroup-stats-interface';
import { mapLimit } from '@podwright/concurrency';
import type { CgroupRow, CgroupTree } from '@podwright/console-interface';
import { isMissing } from '@podwright/errors';
import type { FailureLog } from '@podwright/logging';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import { allStatuses } from '../pods/pod-row.js';

type Throttling = Pick<NonNullable<NonNullable<CgroupSample['cpu']>['cfs']>, 'periods' | 'throttledPeriods'>;

const maxAgeMs = 1_500;
const mostKnown = 20_000;
const concurrentReads = 4;
const looksPerFullReading = 30;

export interface CgroupOwners {
  /** `namespace/name` by UID. */
  readonly pods: ReadonlyMap<string, string>;
  /** By the bare CRI id. */
  readonly containers: ReadonlyMap<string, { readonly pod: string; readonly container: string }>;
}

/**
 * The cgroups of the node with their use. Remembers what the last look found, for shares since then, and which cgroups have
 * a CPU quota: only of those, and of new ones, all files are read.
 */
export class CgroupTreeReader {
  private before = new Map<string, Throttling | undefined>();
  private looks = 0;

  constructor(
    private readonly cgroups: Pick<CgroupStats, 'sample' | 'samples'>,
    private readonly failures: Pick<FailureLog, 'failed'>,
  ) {}

  async read(owners: CgroupOwners, nowMs: number): Promise<CgroupTree> {
    // A resize may have given a cgroup a quota.
    const isFull = this.looks++ % looksPerFullReading === 0;
    const { before } = this;
    const samples = await this.cgroups.samples({ detail: 'usage', maxAgeMs });
    const counts = processCounts(samples);
    const throttling = await mapLimit(samples, concurrentReads, ({ path }) => this.throttling(path, isFull));
    this.before = new Map(samples.slice(0, mostKnown).map(({ path }, index) => [path, throttling[index]]));
    const groups = samples.map((sample, index) => {
      const throttled = throttledRatio(throttling[index], before.get(sample.path));
      return cgroupRow(sample, owners, counts.get(sample.path), throttled);
    });
    return { atMs: nowMs, groups };
  }

  /** Undefined for a cgroup without a quota. */
  private async throttling(path: string, isFull: boolean): Promise<Throttling | undefined> {
    if (!isFull && this.before.has(path) && this.before.get(path) === undefined) return undefined;
    const sample = await this.cgroups.sample(path, { maxAgeMs }).catch((error: unknown) => {
      const message = 'The CPU quota of a cgroup cannot be read, the console leaves it out';
      if (!isMissing(error)) this.failures.failed('quota', message, { cgroup: path, error });
      return undefined;
    });
    return (sample?.limits.cpuQuotaUs ?? 0) > 0 ? sample?.cpu?.cfs : undefined;
  }
}

function cgroupRow(
  { path, cpu, memory, limits }: CgroupSample,
  owners: CgroupOwners,
  count: number | undefined,
  throttled: number | undefined,
): CgroupRow {
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

/** Processes of each cgroup with those below it; the kernel counts each cgroup alone. */
function processCounts(samples: readonly CgroupSample[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const listed = new Set(samples.map(({ path }) => path));
  // Children come after their parents, so backwards each has its sum before it is added to its parent's.
  for (const { path, processes } of [...samples].reverse()) {
    const own = counts.get(path);
    if (processes === undefined && own === undefined) continue;
    const sum = (own ?? 0) + (processes?.count ?? 0);
    counts.set(path, sum);
    const parent = nearestAbove(path, listed);
    if (parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + sum);
  }
  return counts;
}

function nearestAbove(path: string, listed: ReadonlySet<string>): string | undefined {
  for (let above = path; above !== '/';) {
    above = above.slice(0, above.lastIndexOf('/')) || '/';
    if (listed.has(above)) return above;
  }
  return undefined;
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
