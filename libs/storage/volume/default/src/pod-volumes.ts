import { withDeadline } from '@podwright/concurrency';
import type { Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { Attachments } from './attach/attachments.js';
import type { WantedVolumes } from './claims/wanted-volumes.js';
import type { VolumeExpansions } from './expansion/volume-expansions.js';
import type { SharedVolumes } from './mount/shared-volumes.js';
import type { VolumeMounts } from './mount/volume-mounts.js';
import type { PodsDir } from './pods-dir.js';
import type { VolumeJournal } from './volume-journal.js';
import type { VolumeMetrics } from './volume-metrics.js';
import type { OperationKey, VolumeOperations } from './volume-operations.js';
import type { VolumeRefresher } from './volume-refresher.js';
import { uniqueVolumeName } from './volume-table.js';
import type { PodVolume, VolumeTable } from './volume-table.js';

// How long housekeeping waits for an orphan's volumes.
const orphanWaitMs = 1000;
// How often upstream looks whether a pod's volumes are there.
const lookAgainMs = 300;

export interface PodVolumesDeps {
  readonly table: VolumeTable;
  readonly podsDir: PodsDir;
  readonly operations: VolumeOperations;
  readonly metrics: VolumeMetrics;
  readonly journal: VolumeJournal;
  readonly attachments: Attachments;
  readonly wanted: WantedVolumes;
  readonly shared: SharedVolumes;
  readonly refresher: VolumeRefresher;
  readonly expansions: VolumeExpansions;
  readonly mounts: VolumeMounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  /** Runs an operation with a limit to its time. */
  readonly bounded: (task: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Whether claims can be looked up again, to see whether volumes must grow. */
  readonly growsByClaims: boolean;
}

/** Brings single volumes of pods up and takes them down, with retries; nothing else happens to them meanwhile. */
export class PodVolumes {
  constructor(private readonly deps: PodVolumesDeps) {}

  /** Resolves when the volume is mounted; a mounted one is refreshed in the background. Rejects on the signal. */
  async bringUp(pod: Pod, record: PodVolume, wantedAtMs: number, signal: AbortSignal): Promise<void> {
    if (record.state === 'mounted') {
      this.refresh(pod, record);
      return;
    }
    await this.deps.attachments.whenAttached(record, signal);
    await this.deps.operations.runUntilDone('mount', mountKey(record), () => this.setUp(record), signal);
    this.deps.metrics.mounted(record, wantedAtMs);
    this.deps.journal.mounted(record, wantedAtMs);
  }

  /**
   * Tries once, in the background, to mount what can be mounted of a pod whose other volumes have faults: once these
   * are mended, the rest is there. Resolves when all were tried, or after a moment: the event about the pod then names
   * the volumes with faults alone, as a rule.
   */
  async begin(records: readonly PodVolume[]): Promise<void> {
    const { operations, stopping, logger, clock } = this.deps;
    const tries = records.flatMap((record) => {
      const key = mountKey(record);
      if (record.state === 'mounted' || record.shared?.attached === false) return [];
      if (operations.isRunning(key) || operations.isPausing('mount', key)) return [];
      const once = operations.runOnce('mount', key, () => this.setUp(record), stopping);
      // Only stop() ends it this way: a failure is reported by its step.
      const cancelled = (error: unknown): void =>
        logger.debug(4, 'mount was cancelled', { volumeName: record.name, error });
      return [once.catch(cancelled)];
    });
    if (tries.length === 0) return;
    // A deadline that passes is no fault: the tries go on.
    await withDeadline(clock, lookAgainMs, () => Promise.all(tries), stopping).catch(() => undefined);
  }

  /** Resolves when the volume is unmounted from the pod. Rejects on the signal. */
  async bringDown(record: PodVolume, signal: AbortSignal): Promise<void> {
    await this.deps.operations.runUntilDone('unmount', podKey(record), () => this.takeDown(record), signal);
  }

  /**
   * Takes down what an orphaned pod has; resolves to false when something is left. Waits only briefly for a volume that
   * hangs, and not again the next time.
   */
  async clear(podUid: string): Promise<boolean> {
    const { table, operations, clock, stopping } = this.deps;
    const records = table.of(podUid);
    for (const record of records) record.wanted = false;
    const idle = records.filter((record) => {
      const key = podKey(record);
      return !operations.isRunning(key) && !operations.isPausing('unmount', key);
    });
    const limit = clock.deadline(orphanWaitMs, stopping);
    const once = (record: PodVolume): Promise<boolean> =>
      operations.runOnce('unmount', podKey(record), () => this.takeDown(record), limit.signal);
    try {
      await Promise.all(idle.map(once));
    } catch (error) {
      if (!limit.signal.aborted) throw error;
    } finally {
      limit.dispose();
    }
    return table.of(podUid).length === 0;
  }

  private setUp(record: PodVolume): Promise<void> {
    return this.deps.bounded((limit) => this.deps.mounts.setUp(record, limit));
  }

  private async takeDown(record: PodVolume): Promise<void> {
    const { table, mounts, podsDir, wanted, shared } = this.deps;
    if (!table.has(record)) return;
    if (record.state !== 'unmounted') {
      const tearDown = (): Promise<void> =>
        this.deps.bounded((limit) => mounts.tearDown(record, podsDir.of(record.podUid), limit));
      const begunAtMs = this.deps.clock.monotonic();
      await (record.unreadable ? this.deps.metrics.forced(tearDown) : tearDown());
      this.deps.journal.unmounted(record, begunAtMs);
    }
    // A pod that came back meanwhile keeps its record.
    if (record.wanted) return;
    table.delete(record);
    wanted.forget(record.podUid, uniqueVolumeName(record));
    if (record.shared !== undefined) shared.release(record.shared);
  }

  /**
   * Contents are refreshed, and what has grown is grown on the node, in the background; when that fails, containers keep
   * what they have.
   */
  private refresh(pod: Pod, record: PodVolume): void {
    const { requiresRemount = false, expandable } = record.plugin;
    const remounts = requiresRemount === true || (requiresRemount !== false && requiresRemount(record.spec));
    const grows = expandable !== undefined && record.shared !== undefined && this.deps.growsByClaims;
    if (!remounts && !grows) return;
    const id = `${record.podUid} ${record.name}`;
    this.deps.refresher.refresh(id, mountKey(record), pod, (newest) =>
      this.deps.bounded(async (limit) => {
        if (!this.deps.table.has(record) || record.state !== 'mounted') return;
        const begunAtMs = this.deps.clock.monotonic();
        if (grows) await this.grow(newest, record, limit);
        if (!remounts) return;
        await this.deps.mounts.setUpAgain(record, newest, limit);
        this.deps.metrics.mounted(record, begunAtMs);
      }),
    );
  }

  private async grow(pod: Pod, record: PodVolume, signal: AbortSignal): Promise<void> {
    try {
      record.spec = await this.deps.wanted.renew(record, pod, signal);
      await this.deps.expansions.inUse(record, signal);
    } catch (error) {
      this.deps.logger.error('Error processing volume', { pod: podRef(pod), volumeName: record.name, error });
      throw error;
    }
  }
}

const podKey = (record: PodVolume): OperationKey => ({ volume: uniqueVolumeName(record), podUid: record.podUid });
/** Nothing else happens to a shared volume while one pod mounts it. */
const mountKey = (record: PodVolume): OperationKey =>
  record.shared === undefined ? podKey(record) : { volume: record.shared.uniqueName };
