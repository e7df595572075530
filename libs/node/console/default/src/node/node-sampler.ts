import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import { mapLimit, withDeadline } from '@podwright/concurrency';
import type { ConsoleSample, PodUse } from '@podwright/console-interface';
import { podUid } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import type { NodeStats, Summary } from '@podwright/stats-interface';
import type { ConsoleParts } from '../console-needs.js';
import { NetworkRate, type IsDevice } from './network-rate.js';
import { PodCgroups, runningContainerId } from './pod-cgroups.js';

// Others read the same files: what they have read just now will do.
const maxAgeMs = 900;
const concurrentReads = 4;
// Disks fill slowly, and asking for them calls the runtime.
const disksMaxAgeMs = 10_000;
// A pod's use is not worth a longer wait of the whole sample.
const runtimeTimeoutMs = 1_500;

type Disks = Pick<NodeStats, 'fs' | 'runtime' | 'rlimit'>;

/** Measures the node and its pods. Only what changes quickly is read each time, and only the cgroups of whole pods. */
export class NodeSampler {
  private readonly network: NetworkRate;
  private readonly podCgroups: PodCgroups;
  private readonly failures: FailureLog;
  private disks: Disks = {};
  private disksReadAt = -Infinity;
  private readingDisks: Promise<void> | undefined;

  constructor(
    private readonly parts: Pick<ConsoleParts, 'cgroups' | 'stats' | 'pods' | 'statuses' | 'clock' | 'logger'>,
    isNetworkDevice: IsDevice,
  ) {
    this.network = new NetworkRate(isNetworkDevice);
    this.podCgroups = new PodCgroups(parts.cgroups);
    this.failures = new FailureLog(parts.logger, parts.clock);
  }

  get imageFs(): { readonly usedBytes: number | undefined; readonly capacityBytes: number | undefined } {
    const { usedBytes, capacityBytes } = this.disks.runtime?.imageFs ?? {};
    return { usedBytes, capacityBytes };
  }

  async sample(signal: AbortSignal): Promise<ConsoleSample> {
    const { clock, cgroups } = this.parts;
    const atMs = clock.now();
    const reading = this.refreshDisks(signal);
    // Later samples have the disks when they take long.
    if (this.disksReadAt === -Infinity) await reading;
    const [root, pods] = await Promise.all([
      cgroups.sample('/', { maxAgeMs, detail: 'usage' }).catch((error: unknown) => this.failed('node', error)),
      this.podUses(signal),
    ]);
    const network = await this.network.next(root?.network ?? [], clock.monotonic());
    return { atMs, ...this.machineUse(root), ...diskUse(this.disks), ...network, pods };
  }

  private machineUse(root: CgroupSample | undefined): Partial<ConsoleSample> {
    const { cpu, memory, io } = root ?? {};
    const total = this.parts.cgroups.machine().memoryBytes;
    return {
      ...(cpu?.usageNanoCores !== undefined && { cpuNanoCores: cpu.usageNanoCores }),
      ...(memory !== undefined && {
        memoryWorkingSetBytes: memory.workingSet,
        memoryAvailableBytes: Math.max(0, total - memory.workingSet),
      }),
      ...(cpu?.pressure !== undefined && { psiSomeCpu: cpu.pressure.some.avg10 }),
      ...(memory?.pressure !== undefined && { psiSomeMemory: memory.pressure.some.avg10 }),
      ...(io?.pressure !== undefined && { psiSomeIo: io.pressure.some.avg10 }),
    };
  }

  private async podUses(signal: AbortSignal): Promise<readonly PodUse[]> {
    const { pods, statuses, clock } = this.parts;
    const running = pods.getPods().flatMap((pod) => {
      const uid = podUid(pod);
      const status = statuses.getPodStatus(uid);
      return runningContainerId(status) === undefined ? [] : [{ uid, status }];
    });
    this.podCgroups.keep(new Set(running.map(({ uid }) => uid)));
    const found = await mapLimit(running, concurrentReads, async ({ uid, status }) => {
      const cgroup = await this.podCgroups.find(uid, status, clock.monotonic());
      return cgroup === undefined ? undefined : this.podUse(uid, cgroup);
    });
    const elsewhere = found.includes(undefined) ? await this.usesOfRuntime(signal) : undefined;
    return found.map((use, index) => {
      const { uid = '' } = running[index] ?? {};
      return use ?? elsewhere?.get(uid) ?? { uid };
    });
  }

  private async podUse(uid: string, cgroup: string): Promise<PodUse | undefined> {
    const { cgroups } = this.parts;
    const sample = await cgroups
      .sample(cgroup, { maxAgeMs, detail: 'usage' })
      .catch((error: unknown) => this.failed('pod', error));
    if (sample === undefined) {
      this.podCgroups.forget(uid);
      return undefined;
    }
    return use(uid, sample.cpu?.usageNanoCores, sample.memory?.workingSet);
  }

  /** For pods whose cgroups are elsewhere, such as those in virtual machines. As old as others let it be. */
  private async usesOfRuntime(signal: AbortSignal): Promise<ReadonlyMap<string, PodUse>> {
    const { clock, stats } = this.parts;
    try {
      const read = (either: AbortSignal): Promise<Summary> => stats.summary({ onlyCpuAndMemory: true, signal: either });
      const { pods } = await withDeadline(clock, runtimeTimeoutMs, read, signal);
      return new Map(
        pods.map(({ podRef: { uid }, cpu, memory }) => [uid, use(uid, cpu?.usageNanoCores, memory?.workingSetBytes)]),
      );
    } catch (error) {
      this.failed('runtime', error);
      return new Map();
    }
  }

  private refreshDisks(signal: AbortSignal): Promise<void> | undefined {
    const now = this.parts.clock.monotonic();
    if (now - this.disksReadAt < disksMaxAgeMs) return undefined;
    this.readingDisks ??= this.readDisks(signal).finally(() => (this.readingDisks = undefined));
    return this.readingDisks;
  }

  private async readDisks(signal: AbortSignal): Promise<void> {
    const { clock, stats } = this.parts;
    const options = { podUids: [], maxAgeMs: disksMaxAgeMs };
    try {
      const read = (either: AbortSignal): Promise<Summary> => stats.summary({ ...options, signal: either });
      this.disks = (await withDeadline(clock, runtimeTimeoutMs, read, signal)).node;
    } catch (error) {
      this.disks = {};
      this.failed('disks', error);
    } finally {
      this.disksReadAt = clock.monotonic();
    }
  }

  private failed(what: string, error: unknown): undefined {
    this.failures.failed(what, 'The console cannot measure everything', { what, error });
    return undefined;
  }
}

const use = (uid: string, cpuNanoCores: number | undefined, memoryWorkingSetBytes: number | undefined): PodUse => ({
  uid,
  ...(cpuNanoCores !== undefined && { cpuNanoCores }),
  ...(memoryWorkingSetBytes !== undefined && { memoryWorkingSetBytes }),
});

function diskUse({ fs, runtime, rlimit }: Disks): Partial<ConsoleSample> {
  const numbers = {
    fsUsedBytes: fs?.usedBytes,
    fsCapacityBytes: fs?.capacityBytes,
    imageFsUsedBytes: runtime?.imageFs?.usedBytes,
    imageFsCapacityBytes: runtime?.imageFs?.capacityBytes,
    processes: rlimit?.curproc,
  };
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
}
