import type { CgroupSample, CgroupStats } from '@podwright/cgroup-stats-interface';
import { KubeletError, rethrowWith } from '@podwright/errors';
import type { FailureLog } from '@podwright/logging';
import type { NodeStats, PodStats, Summary } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';
import type { FileSystems } from './file-systems/file-systems.js';
import { processLimits, type ReadText } from './node/process-limits.js';
import { systemContainers } from './node/system-containers.js';
import type { PodStatsSource } from './pods/pod-stats-source.js';
import { freeOf, type FileSystemReading } from './pods/storage-stats.js';
import { cgroupStats, networkOf } from './readings/from-cgroup.js';
import { wireTime } from './readings/wire-time.js';

export interface SummaryCollectorDeps {
  readonly pods: PodStatsSource;
  readonly cgroups: Pick<CgroupStats, 'sample' | 'roots' | 'machine'>;
  readonly fileSystems: FileSystems;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly nodeName: string;
  readonly rootDir: string;
  readonly kubeletStartedMs: number;
  readonly readProc?: ReadText;
}

/** Assembles the summary. Source: kubernetes v1.36 pkg/kubelet/server/stats/summary.go. */
export class SummaryCollector {
  constructor(private readonly deps: SummaryCollectorDeps) {}

  /** `only`: UIDs of the pods to read; absent: all. */
  async full(maxAgeMs: number, signal: AbortSignal, only?: ReadonlySet<string>): Promise<Summary> {
    const { pods, cgroups, clock, nodeName, readProc } = this.deps;
    const root = await this.root(maxAgeMs);
    const rootFs = await this.rootFs(root, signal);
    const [runtimeFs, listed, rlimit, system] = await Promise.all([
      pods.imageFs(signal).catch(rethrowWith('failed to get imageFs stats')),
      only?.size === 0
        ? []
        : pods.full(rootFs, { maxAgeMs, signal, ...(only && { only }) }).catch(rethrowWith('failed to list pod stats')),
      processLimits(clock.now(), readProc),
      this.systemContainers('full', maxAgeMs),
    ]);
    const { cpu, memory, io, swap } = cgroupStats('/', root, 'full');
    const network = networkOf(root);
    const { imageFs, containerFs } = runtimeFs;
    const node: NodeStats = {
      nodeName,
      ...(system.length > 0 && { systemContainers: system }),
      startTime: wireTime(cgroups.machine().bootTimeMs),
      ...(cpu !== undefined && { cpu }),
      ...(memory !== undefined && { memory }),
      ...(io !== undefined && { io }),
      ...(network !== undefined && { network }),
      fs: {
        time: rootFs.time,
        ...freeOf(rootFs),
        usedBytes: rootFs.usedBytes,
        inodesUsed: rootFs.inodes - rootFs.inodesFree,
      },
      runtime: { imageFs, containerFs },
      rlimit,
      ...(swap !== undefined && { swap }),
    };
    return { node, pods: listed };
  }

  async reduced(maxAgeMs: number, signal: AbortSignal): Promise<Summary> {
    const { pods, nodeName } = this.deps;
    const [root, listed, system] = await Promise.all([
      this.root(maxAgeMs),
      pods.reduced({ maxAgeMs, signal }).catch(rethrowWith('failed to list pod stats')),
      this.systemContainers('reduced', maxAgeMs),
    ]);
    const { startTime, cpu, memory, swap } = cgroupStats('/', root, 'reduced');
    const node: NodeStats = {
      nodeName,
      ...(system.length > 0 && { systemContainers: system }),
      startTime,
      ...(cpu !== undefined && { cpu }),
      ...(memory !== undefined && { memory }),
      ...(swap !== undefined && { swap }),
    };
    return { node, pods: listed satisfies readonly PodStats[] };
  }

  private async root(maxAgeMs: number): Promise<CgroupSample> {
    const what = 'failed to get root cgroup stats';
    const root = await this.deps.cgroups.sample('/', { maxAgeMs, detail: 'usage' }).catch(rethrowWith(what));
    if (root === undefined) throw new KubeletError(`${what}: there is no such cgroup`, { code: 'not-found' });
    return root;
  }

  private async rootFs({ timeMs }: CgroupSample, signal: AbortSignal): Promise<FileSystemReading> {
    const { fileSystems, rootDir } = this.deps;
    const numbers = await fileSystems.numbers(rootDir, signal).catch(rethrowWith('failed to get rootFs stats'));
    return { ...numbers, time: wireTime(timeMs) };
  }

  private systemContainers(form: 'full' | 'reduced', maxAgeMs: number): ReturnType<typeof systemContainers> {
    const { cgroups, failureLog, kubeletStartedMs } = this.deps;
    return systemContainers(cgroups, failureLog, { form, maxAgeMs, kubeletStartedMs });
  }
}
