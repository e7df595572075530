import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { createMountTools, mountsBelow, readMountTable } from '@podwright/filesystem';
import { podUid as uidOf } from '@podwright/kube-types';
import type { Pod, Volume } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { VOLUME_PLUGINS } from '@podwright/volume-interface';
import type { MountedVolume, VolumeManager, VolumePlugin } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { findPlugin } from './find-plugin.js';
import { sweepOrphans } from './orphan-sweep.js';
import { namesIn, pluginNameOf, volumesOnDisk } from './pod-volume-paths.js';
import { PodVolumes } from './pod-volumes.js';
import { usedVolumes } from './used-volumes.js';
import { VOLUME_MANAGER_CONFIG } from './volume-manager-config.js';
import type { VolumeManagerConfig } from './volume-manager-config.js';
import { VolumeMetrics } from './volume-metrics.js';
import { VolumeOperations } from './volume-operations.js';
import { VolumeRefresher } from './volume-refresher.js';
import { uniqueVolumeName, VolumeTable } from './volume-table.js';
import type { VolumeRecord } from './volume-table.js';
import { causeOfAbort, mountWaitError, unmountWaitError } from './wait-error.js';

// Housekeeping waits for the sweep.
const orphanWaitMs = 1000;

/**
 * {@link VolumeManager} without loops: a pod that waits for its volumes sets them up, one that ends takes them down, and
 * housekeeping removes what former processes left. Pods without volumes cost nothing.
 */
@injectable()
export class OnDemandVolumeManager implements VolumeManager {
  private readonly table = new VolumeTable();
  private readonly operations: VolumeOperations;
  private readonly metrics: VolumeMetrics;
  private readonly volumes: PodVolumes;
  private readonly refresher: VolumeRefresher;
  private readonly host = {
    mounts: createMountTools(),
    readMounts: (): ReturnType<typeof readMountTable> => readMountTable(),
  };
  private readonly stopping = new AbortController();
  private podsDir: string;
  private sweep: Promise<void> | undefined;

  constructor(
    @inject(VOLUME_PLUGINS) private readonly plugins: readonly VolumePlugin[],
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(EVENT_RECORDER) events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) registry: MetricsRegistry,
    @inject(VOLUME_MANAGER_CONFIG) private readonly config: VolumeManagerConfig,
  ) {
    this.podsDir = join(config.rootDir, 'pods');
    this.operations = new VolumeOperations(clock, config);
    this.refresher = new VolumeRefresher(this.operations, this.stopping.signal, logger);
    this.metrics = new VolumeMetrics(registry, clock, this.table);
    this.volumes = new PodVolumes({ ...this.host, table: this.table, metrics: this.metrics, events, logger });
  }

  /** Finds what a former process left; it counts as possibly mounted until it was set up again or taken down. */
  async start(): Promise<void> {
    await mkdir(this.podsDir, { recursive: true, mode: 0o750 });
    // The mount table shows real paths.
    this.podsDir = await realpath(this.podsDir);
    for (const podUid of await namesIn(this.podsDir)) await this.reconstruct(podUid);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('volume manager is stopping', { code: 'cancelled' }));
    const idle = async (): Promise<void> => {
      await this.sweep;
      await this.operations.whenIdle();
    };
    try {
      await withDeadline(this.clock, this.config.stopTimeoutMs, idle);
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.logger.warn('left running volume operations behind', { waitedMs: this.config.stopTimeoutMs });
    }
  }

  async waitForAttachAndMount(pod: Pod, signal: AbortSignal): Promise<void> {
    const wanted = usedVolumes(pod);
    if (wanted.length === 0) return;
    const uid = uidOf(pod);
    const found = wanted.map((volume) => ({ volume, plugin: findPlugin(this.plugins, volume) }));
    const faults = found.flatMap(({ volume, plugin }) =>
      typeof plugin === 'string' ? [{ volume, fault: plugin }] : [],
    );
    if (faults.length > 0) {
      const cause = faults.map(
        ({ volume, fault }) =>
          `failed to get Plugin from volumeSpec for volume ${JSON.stringify(volume.name)} err=${fault}`,
      );
      throw mountWaitError(
        this.unmounted(uid, wanted),
        faults.map(({ volume }) => volume.name),
        cause.join('; '),
      );
    }
    const podDir = this.podDirOf(uid);
    const wantedAtMs = this.clock.monotonic();
    const deadline = this.clock.deadline(this.config.waitTimeoutMs, signal);
    try {
      const work = found.map(async ({ volume, plugin }) => {
        if (typeof plugin !== 'string') await this.bringUp(pod, podDir, volume, plugin, wantedAtMs, deadline.signal);
      });
      await Promise.all(work);
    } catch (error) {
      const unmounted = this.unmounted(uid, wanted);
      if (unmounted.length === 0) return;
      if (!deadline.signal.aborted) throw mountWaitError(unmounted, [], messageOf(error));
      throw mountWaitError(unmounted, [], causeOfAbort(deadline.signal.reason), deadline.signal.reason);
    } finally {
      deadline.dispose();
    }
  }

  async waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void> {
    const records = this.table.of(uidOf(pod));
    if (records.length === 0) return;
    for (const record of records) record.wanted = false;
    const deadline = this.clock.deadline(this.config.waitTimeoutMs, signal);
    try {
      await Promise.all(
        records.map((record) =>
          this.operations.runUntilDone(
            'unmount',
            uniqueVolumeName(record),
            () => this.takeDown(record),
            deadline.signal,
          ),
        ),
      );
    } catch (error) {
      const left = this.table.of(uidOf(pod));
      if (left.length === 0) return;
      throw unmountWaitError(left.map(uniqueVolumeName), deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      deadline.dispose();
    }
  }

  getMountedVolumes(podUid: string): readonly MountedVolume[] {
    return this.table.of(podUid).flatMap(({ name, state, mounter }) => {
      if (state !== 'mounted' || mounter === undefined) return [];
      const { hostPath, readOnly, managed, selinuxRelabel, usage } = mounter;
      return [{ name, hostPath, readOnly, managed, selinuxRelabel, ...(usage !== undefined && { usage }) }];
    });
  }

  async hasPossiblyMountedVolumes(podUid: string): Promise<boolean> {
    if (this.table.of(podUid).length > 0) return true;
    const podDir = this.podDirOf(podUid);
    if ((await volumesOnDisk(podDir)).length === 0) return false;
    return mountsBelow(await this.host.readMounts(), join(podDir, 'volumes')).length > 0;
  }

  /** Only volumes of PersistentVolumes ask for groups, and their plugins are not here. */
  extraSupplementalGroups(_pod: Pod): readonly number[] {
    return [];
  }

  async removeOrphanedPodDirs(knownPodUids: ReadonlySet<string>): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const isKnown = (podUid: string): boolean =>
      knownPodUids.has(podUid) || this.lifecycle.couldHaveRunningContainers(podUid);
    const deps = {
      ...this.host,
      podsDir: this.podsDir,
      metrics: this.metrics,
      logger: this.logger,
      emptyOrphan: (podUid: string) => this.emptyOrphan(podUid),
    };
    // A sweep that takes longer than the caller's period is not doubled.
    this.sweep ??= sweepOrphans(isKnown, deps, this.stopping.signal).finally(() => {
      this.sweep = undefined;
    });
    await this.sweep;
  }

  private async bringUp(
    pod: Pod,
    podDir: string,
    volume: Volume,
    plugin: VolumePlugin,
    wantedAtMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const key = uniqueVolumeName({ plugin, podUid: uidOf(pod), name: volume.name });
    if (this.table.get(uidOf(pod), volume.name)?.state === 'mounted') {
      // Contents are refreshed beside the sync; containers go on with what they have when that fails.
      if (plugin.requiresRemount === true) {
        this.refresher.refresh(key, pod, (newest) =>
          this.bounded((limit) => this.volumes.setUpAgain(newest, podDir, volume.name, limit)),
        );
      }
      return;
    }
    const task = (): Promise<void> => this.bounded((limit) => this.volumes.setUp(pod, podDir, volume, plugin, limit));
    await this.operations.runUntilDone('mount', key, task, signal);
    this.metrics.mounted(plugin.name, wantedAtMs);
  }

  private takeDown(record: VolumeRecord): Promise<void> {
    if (this.table.get(record.podUid, record.name) !== record) return Promise.resolve();
    return this.bounded((limit) => this.volumes.tearDown(record, this.podDirOf(record.podUid), limit));
  }

  /** An operation outlives the pod's wait, but not by more than this. */
  private async bounded(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const deadline = this.clock.deadline(this.config.waitTimeoutMs, this.stopping.signal);
    try {
      await task(deadline.signal);
    } finally {
      deadline.dispose();
    }
  }

  /** Takes down what an orphaned pod holds. A volume that hangs is waited for a moment in one sweep, and not in the next. */
  private async emptyOrphan(podUid: string): Promise<boolean> {
    const idle = this.table.of(podUid).filter((record) => {
      const key = uniqueVolumeName(record);
      return !this.operations.isRunning(key) && !this.operations.isPausing('unmount', key);
    });
    const limit = this.clock.deadline(orphanWaitMs, this.stopping.signal);
    try {
      await Promise.all(
        idle.map((record) =>
          this.operations.runOnce('unmount', uniqueVolumeName(record), () => this.takeDown(record), limit.signal),
        ),
      );
    } catch (error) {
      if (!limit.signal.aborted) throw error;
    } finally {
      limit.dispose();
    }
    return this.table.of(podUid).length === 0;
  }

  private async reconstruct(podUid: string): Promise<void> {
    for (const found of await volumesOnDisk(this.podDirOf(podUid))) {
      const plugin = this.plugins.find(({ name }) => name === pluginNameOf(found));
      if (plugin === undefined) {
        this.logger.warn('no volume plugin matched name of a volume on disk', { podUid, path: found.path });
        continue;
      }
      this.table.put({ podUid, name: found.name, plugin, state: 'uncertain', wanted: false, mounter: undefined });
    }
  }

  private unmounted(podUid: string, wanted: readonly Volume[]): readonly string[] {
    return wanted.map(({ name }) => name).filter((name) => this.table.get(podUid, name)?.state !== 'mounted');
  }

  private podDirOf(podUid: string): string {
    // UIDs come from manifests too.
    if (podUid === '' || podUid === '.' || podUid === '..' || podUid.includes('/')) {
      throw new KubeletError(`pod UID ${JSON.stringify(podUid)} cannot be the name of a directory`, {
        code: 'invalid-argument',
      });
    }
    return join(this.podsDir, podUid);
  }
}
