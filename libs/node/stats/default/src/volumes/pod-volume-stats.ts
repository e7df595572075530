import { Gate, withDeadline } from '@podwright/concurrency';
import { hasCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Histogram } from '@podwright/metrics';
import type { VolumeStats } from '@podwright/stats-interface';
import { jitter, type Clock, type Random } from '@podwright/time';
import type { MountedVolume, VolumeManager, VolumeUsage } from '@podwright/volume-interface';
import type { DiskUsage } from '../disk-usage/disk-usage.js';
import type { FileSystems } from '../file-systems/file-systems.js';
import { wireTime } from '../readings/wire-time.js';
import { claimOf, isLocalEphemeral } from './local-ephemeral.js';

export interface VolumesOfPod {
  /** Counted into the pod's ephemeral storage. */
  readonly ephemeral: readonly VolumeStats[];
  readonly persistent: readonly VolumeStats[];
}

export interface PodVolumeStatsDeps {
  readonly volumes: Pick<VolumeManager, 'getMountedVolumes'>;
  readonly diskUsage: DiskUsage;
  readonly fileSystems: FileSystems;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly duration: Histogram;
}

interface Entry {
  latest: VolumesOfPod | undefined;
  /** Of the monotonic clock. */
  dueAt: number;
  measuring: Promise<void> | undefined;
}

const measuredAtOnce = 4;
// As of upstream's calls of CSI drivers.
const driverTimeoutMs = 120_000;

/**
 * The usage of volumes, measured at most once in a period, and only while somebody asks: upstream's loop runs for every pod,
 * whether its numbers are wanted or not. Source: kubernetes v1.36 pkg/kubelet/server/stats/fs_resource_analyzer.go,
 * volume_stat_calculator.go.
 */
export class PodVolumeStats {
  private readonly pods = new Map<string, Entry>();
  private readonly gate = new Gate({ places: measuredAtOnce });
  private readonly stopping = new AbortController();
  private readonly incomplete = new Set<string>();

  /** `periodMs` 0 or less: no volume is measured. */
  constructor(
    private readonly deps: PodVolumeStatsDeps,
    private readonly periodMs: number,
  ) {}

  get(uid: string): VolumesOfPod | undefined {
    return this.pods.get(uid)?.latest;
  }

  /**
   * Measures what is due of these pods, or of those of them that are in `only`, and forgets others. Resolves when all is measured,
   * and after `waitMs` at the latest: what takes longer is in a later answer. Rejects with the signal only.
   */
  async refresh(pods: readonly Pod[], waitMs: number, signal: AbortSignal, only?: ReadonlySet<string>): Promise<void> {
    if (this.periodMs <= 0 || this.stopping.signal.aborted) return;
    const wanted = new Map(pods.map((pod) => [podUid(pod), pod]));
    for (const uid of this.pods.keys()) if (!wanted.has(uid)) this.forget(uid);
    const measuring = [...wanted].flatMap(([uid, pod]) =>
      only?.has(uid) === false ? [] : (this.begin(uid, pod) ?? []),
    );
    if (measuring.length === 0) return;
    const done = Promise.all(measuring).then(() => undefined);
    try {
      await withDeadline(this.deps.clock, waitMs, () => done, signal);
    } catch (error) {
      if (signal.aborted || !hasCode(error, 'deadline-exceeded')) throw error;
    }
  }

  /** Resolves when nothing is measured any more, but for drivers that do not let go. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.pods.values()].map(({ measuring }) => measuring));
  }

  private forget(uid: string): void {
    this.pods.delete(uid);
    for (const path of this.incomplete) if (path.includes(`/${uid}/`)) this.incomplete.delete(path);
  }

  private begin(uid: string, pod: Pod): Promise<void> | undefined {
    const entry = this.pods.get(uid) ?? { latest: undefined, dueAt: 0, measuring: undefined };
    this.pods.set(uid, entry);
    if (entry.measuring !== undefined) return entry.measuring;
    const { clock, random } = this.deps;
    if (entry.latest !== undefined && clock.monotonic() < entry.dueAt) return undefined;
    entry.measuring = this.measurePod(uid, pod).then((latest) => {
      // Without numbers the next one to ask makes the next try.
      if (latest !== undefined) entry.latest = latest;
      entry.dueAt = clock.monotonic() + jitter(random, this.periodMs, 1);
      entry.measuring = undefined;
    });
    return entry.measuring;
  }

  private async measurePod(uid: string, pod: Pod): Promise<VolumesOfPod | undefined> {
    const mounted = this.deps.volumes.getMountedVolumes(uid);
    const found = await Promise.all(
      mounted.map(async (volume) => {
        const usage = await this.measureOrSkip(uid, volume);
        return usage === undefined ? undefined : { volume, usage };
      }),
    );
    if (this.stopping.signal.aborted) return undefined;
    const time = wireTime(this.deps.clock.now());
    const ephemeral: VolumeStats[] = [];
    const persistent: VolumeStats[] = [];
    for (const { volume, usage } of found.filter((entry) => entry !== undefined)) {
      const spec = pod.spec.volumes?.find(({ name }) => name === volume.name) ?? { name: volume.name };
      const stats = volumeStats(volume.name, claimOf(pod, spec), usage, time);
      (isLocalEphemeral(spec) ? ephemeral : persistent).push(stats);
    }
    return { ephemeral, persistent };
  }

  private async measureOrSkip(uid: string, volume: MountedVolume): Promise<VolumeUsage | undefined> {
    if (volume.usage === undefined) return undefined;
    try {
      return await this.gate.run(() => this.measure(volume), { signal: this.stopping.signal });
    } catch (error) {
      const { name } = volume;
      this.deps.logger.debug(4, 'Failed to calculate volume metrics', { podUID: uid, volumeName: name, error });
      return undefined;
    }
  }

  private async measure({ usage, hostPath }: MountedVolume): Promise<VolumeUsage> {
    const { clock, duration, diskUsage, fileSystems } = this.deps;
    const { signal } = this.stopping;
    if (typeof usage === 'function') return withDeadline(clock, driverTimeoutMs, usage, signal);
    const startedAt = clock.monotonic();
    try {
      if (usage === 'file-system') {
        const found = await fileSystems.numbers(hostPath, signal);
        return { ...found, inodesUsed: found.inodes - found.inodesFree };
      }
      const { bytes, inodes, complete, fileSystem } = await diskUsage.tree(hostPath, signal);
      this.sayIncomplete(hostPath, complete);
      return { ...fileSystem, usedBytes: bytes, inodesUsed: inodes };
    } finally {
      const metric_source = usage === 'file-system' ? 'statfs' : 'du';
      duration.observe((clock.monotonic() - startedAt) / 1000, { metric_source });
    }
  }

  private sayIncomplete(path: string, complete: boolean): void {
    if (complete) return void this.incomplete.delete(path);
    if (this.incomplete.has(path)) return;
    this.incomplete.add(path);
    this.deps.logger.warn('a volume is too deep or too large to be counted in time; it uses more than is told', {
      path,
    });
  }
}

/** Unknown numbers are 0, as upstream. */
function volumeStats(name: string, pvcRef: VolumeStats['pvcRef'], usage: VolumeUsage, time: string): VolumeStats {
  const { availableBytes = 0, capacityBytes = 0, usedBytes = 0, inodesFree = 0, inodes = 0, inodesUsed = 0 } = usage;
  return {
    time,
    availableBytes,
    capacityBytes,
    usedBytes,
    inodesFree,
    inodes,
    inodesUsed,
    name,
    ...(pvcRef !== undefined && { pvcRef }),
    ...(usage.abnormal !== undefined && { volumeHealthStats: { abnormal: usage.abnormal } }),
  };
}
