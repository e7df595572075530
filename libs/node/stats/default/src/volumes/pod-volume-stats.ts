import { Gate, withDeadline } from '@podwright/concurrency';
import { hasCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Histogram } from '@podwright/metrics';
import type { VolumeStats } from '@podwright/stats-interface';
import { jitter, namedRandom, type Clock, type Random } from '@podwright/time';
import type {
  MeasuredUsage,
  MountedVolume,
  QuotaUsage,
  VolumeManager,
  VolumeUsage,
  VolumeUsageSource,
} from '@podwright/volume-interface';
import type { DiskUsage } from '../disk-usage/disk-usage.js';
import type { FileSystems } from '../file-systems/file-systems.js';
import { wireTime } from '../readings/wire-time.js';
import { claimOf, isLocalEphemeral } from './local-ephemeral.js';

export interface VolumesOfPod {
  /** Volumes that count as ephemeral storage of the pod. */
  readonly ephemeral: readonly VolumeStats[];
  readonly persistent: readonly VolumeStats[];
}

export interface PodVolumeStatsDeps {
  readonly volumes: Pick<VolumeManager, 'getMountedVolumes'>;
  readonly diskUsage: DiskUsage;
  /** Reads those of volumes, of which some may be on dead servers. */
  readonly volumeFileSystems: Pick<FileSystems, 'numbers'>;
  readonly deviceSizeBytes: (path: string) => Promise<number>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly duration: Pick<Histogram, 'observe'>;
}

interface Entry {
  latest: VolumesOfPod | undefined;
  /** Monotonic milliseconds. */
  dueAt: number;
  measuring: Promise<void> | undefined;
}

const measuredAtOnce = 4;
// Upstream's timeout of CSI calls.
const driverTimeoutMs = 120_000;

/**
 * Usage of volumes, measured on demand and at most once per period; upstream runs a loop for every pod, whether its
 * numbers are used or not. Source: kubernetes v1.36 pkg/kubelet/server/stats/fs_resource_analyzer.go,
 * volume_stat_calculator.go.
 */
export class PodVolumeStats {
  private readonly pods = new Map<string, Entry>();
  private readonly gate = new Gate({ places: measuredAtOnce });
  private readonly stopping = new AbortController();
  private readonly incomplete = new Set<string>();

  /** `periodMs` 0 or less disables measurements. */
  constructor(
    private readonly deps: PodVolumeStatsDeps,
    private readonly periodMs: number,
  ) {}

  get(uid: string): VolumesOfPod | undefined {
    return this.pods.get(uid)?.latest;
  }

  /**
   * Measures the volumes that are due, of `pods` or of those in `only`, and forgets all other pods. Resolves when done,
   * after `waitMs` at the latest: a later answer has the rest. Rejects only with the signal.
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

  /** Resolves when no measurement is in progress, except in drivers that hang. */
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
      // Without numbers the next caller tries again.
      if (latest !== undefined) entry.latest = latest;
      entry.dueAt = clock.monotonic() + jitter(namedRandom(random, `volume-stats ${uid}`), this.periodMs, 1);
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
    const { name, usage } = volume;
    if (usage === undefined) return undefined;
    try {
      // A driver that hangs must not take a place from those who count files.
      if (isMeasured(usage)) return await this.timed(usage.metricSource, () => this.ask(usage));
      return await this.gate.run(() => this.measure(usage, volume.hostPath), { signal: this.stopping.signal });
    } catch (error) {
      if (isMeasured(usage) && hasCode(error, 'unimplemented')) return undefined;
      this.deps.logger.debug(4, 'Failed to calculate volume metrics', { podUID: uid, volumeName: name, error });
      return undefined;
    }
  }

  private async measure(usage: 'tree' | 'file-system' | 'block' | QuotaUsage, hostPath: string): Promise<VolumeUsage> {
    const { diskUsage, volumeFileSystems } = this.deps;
    const { signal } = this.stopping;
    if (usage === 'file-system') {
      return this.timed('statfs', async () => {
        const found = await volumeFileSystems.numbers(hostPath, signal);
        return { ...found, inodesUsed: found.inodes - found.inodesFree };
      });
    }
    if (usage === 'block')
      return this.timed('block', async () => ({ capacityBytes: await this.deps.deviceSizeBytes(hostPath) }));
    const counted = usage === 'tree' ? undefined : await this.askQuota(usage, hostPath);
    if (counted !== undefined) return counted;
    return this.timed('du', async () => {
      const { bytes, inodes, complete, fileSystem } = await diskUsage.tree(hostPath, signal);
      this.sayIncomplete(hostPath, complete);
      return { ...fileSystem, usedBytes: bytes, inodesUsed: inodes };
    });
  }

  private async askQuota(usage: QuotaUsage, hostPath: string): Promise<VolumeUsage | undefined> {
    const startedAt = this.deps.clock.monotonic();
    const counted = await withDeadline(this.deps.clock, driverTimeoutMs, (s) => usage.quota(s), this.stopping.signal);
    if (counted === undefined) return undefined;
    this.observe('fsquota', startedAt);
    return { ...(await this.deps.volumeFileSystems.numbers(hostPath, this.stopping.signal)), ...counted };
  }

  private ask(usage: MeasuredUsage): Promise<VolumeUsage> {
    return withDeadline(this.deps.clock, driverTimeoutMs, (signal) => usage.measure(signal), this.stopping.signal);
  }

  private async timed(metric_source: string, task: () => Promise<VolumeUsage>): Promise<VolumeUsage> {
    const startedAt = this.deps.clock.monotonic();
    try {
      return await task();
    } finally {
      this.observe(metric_source, startedAt);
    }
  }

  private observe(metric_source: string, startedAt: number): void {
    const { clock, duration } = this.deps;
    duration.observe((clock.monotonic() - startedAt) / 1000, { metric_source });
  }

  private sayIncomplete(path: string, complete: boolean): void {
    if (complete) return void this.incomplete.delete(path);
    if (this.incomplete.has(path)) return;
    this.incomplete.add(path);
    this.deps.logger.warn('a volume is too deep or too large to be counted in time; it uses more than is reported', {
      path,
    });
  }
}

function isMeasured(usage: VolumeUsageSource): usage is MeasuredUsage {
  return typeof usage === 'object' && 'measure' in usage;
}

/** As upstream, unknown numbers are 0. */
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
