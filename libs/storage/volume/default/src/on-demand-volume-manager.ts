import { join } from 'node:path';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { mountsBelow } from '@podwright/filesystem';
import { podUid as uidOf, usedVolumes } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { loadSeLinux } from '@podwright/selinux';
import { supplementalGroup } from '@podwright/volume-interface';
import type { MountedVolume, VolumeManager, VolumesInUse } from '@podwright/volume-interface';
import { mountedVolumes } from './mounted-volumes.js';
import { sweepOrphans } from './orphan-sweep.js';
import { namesIn, volumesOnDisk } from './pod-volume-paths.js';
import { reconstructDevices, reconstructVolumes } from './reconstruct/reconstruct-volumes.js';
import type { VolumeManagerConfig } from './volume-manager-config.js';
import type { VolumeManagerNeeds } from './volume-manager-needs.js';
import { createVolumeManagerParts, type VolumeManagerParts } from './volume-manager-parts.js';
import { uniqueVolumeName } from './volume-table.js';
import type { PodVolume } from './volume-table.js';
import { attachLimitError, causeOfAbort, mountWaitError, unmountWaitError } from './wait-error.js';

/**
 * {@link VolumeManager} without loops: the sync of a pod sets up its volumes, the end of a pod tears them down, and
 * housekeeping removes what an earlier kubelet left. Pods without volumes cost nothing.
 */
export class OnDemandVolumeManager implements VolumeManager {
  private readonly parts: VolumeManagerParts;
  private readonly stopping = new AbortController();
  private sweep: Promise<void> | undefined;
  private syncing: Promise<void> | undefined;

  constructor(
    private readonly deps: VolumeManagerNeeds,
    private readonly config: VolumeManagerConfig,
  ) {
    this.parts = createVolumeManagerParts(deps, config, this.stopping.signal);
  }

  /** The attachable volumes, for the node's status. */
  get attachments(): VolumesInUse {
    return this.parts.attachments;
  }

  /** Finds volumes of an earlier kubelet; they count as possibly mounted until they are set up again or torn down. */
  async start(): Promise<void> {
    const { podsDir, mounts, table, plugins, attachments, metrics } = this.parts;
    const { logger, random } = this.deps;
    await podsDir.make();
    this.parts.useSeLinux(await loadSeLinux({ random, readMounts: () => mounts.list() }));
    const deps = { table, plugins: plugins(), logger, metrics };
    for (const podUid of await namesIn(podsDir.path)) await reconstructVolumes(podUid, podsDir.of(podUid), deps);
    await reconstructDevices(deps);
    this.syncing = attachments.sync(this.stopping.signal).catch((error: unknown) => {
      // Only stop() ends it this way: it reports each failure itself.
      logger.debug(4, 'reconstruction of volumes with the node’s status was cancelled', { error });
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('volume manager is stopping', { code: 'cancelled' }));
    const idle = async (): Promise<void> => {
      await Promise.all([this.sweep, this.syncing, this.parts.shared.whenIdle()]);
      await this.parts.operations.whenIdle();
    };
    try {
      await withDeadline(this.deps.clock, this.config.stopTimeoutMs, idle);
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.deps.logger.warn('left running volume operations behind', { waitedMs: this.config.stopTimeoutMs });
    }
  }

  async waitForAttachAndMount(pod: Pod, signal: AbortSignal): Promise<void> {
    const used = usedVolumes(pod);
    if (used.length === 0) return;
    const { wanted, attachments, volumes, journal } = this.parts;
    const wantedAtMs = this.deps.clock.monotonic();
    const deadline = this.deps.clock.deadline(this.config.waitTimeoutMs, signal);
    let unprocessed: readonly string[] | undefined;
    try {
      const { records, faults } = await wanted.find(pod, used, deadline.signal);
      unprocessed = faults.map(({ name }) => name);
      if (records.some(({ shared }) => shared?.attachable === true)) attachments.changed();
      if (faults.length > 0) {
        await volumes.begin(records);
        // Upstream keeps a sorted set.
        const problems = [...new Set(faults.map(({ problem }) => problem))].sort();
        throw new KubeletError(problems.join('; '), { code: 'failed-precondition' });
      }
      const waits = records.some(({ state }) => state !== 'mounted');
      await Promise.all(records.map((record) => volumes.bringUp(pod, record, wantedAtMs, deadline.signal)));
      if (waits)
        journal.ready(
          pod,
          used.map(({ volume }) => volume.name),
          wantedAtMs,
        );
    } catch (error) {
      await this.explain(pod, unprocessed, { error, wantedAtMs }, deadline.signal);
    } finally {
      deadline.dispose();
    }
  }

  async waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void> {
    const { table, volumes } = this.parts;
    const records = table.of(uidOf(pod));
    if (records.length === 0) return;
    for (const record of records) record.wanted = false;
    const wantedAtMs = this.deps.clock.monotonic();
    const deadline = this.deps.clock.deadline(this.config.waitTimeoutMs, signal);
    try {
      await Promise.all(records.map((record) => volumes.bringDown(record, deadline.signal)));
    } catch (error) {
      const left = table.of(uidOf(pod));
      if (left.length === 0) return;
      const names = left.map(uniqueVolumeName);
      const told = unmountWaitError(names, deadline.signal.aborted ? deadline.signal.reason : error);
      const waiting = { operation: 'unmount', volumes: names, unattached: [], unresolved: [] } as const;
      this.parts.journal.waiting(pod, waiting, { wantedAtMs, error: told });
      throw told;
    } finally {
      deadline.dispose();
    }
  }

  getMountedVolumes(podUid: string): readonly MountedVolume[] {
    return this.parts.table.of(podUid).flatMap(mountedVolumes);
  }

  async hasPossiblyMountedVolumes(podUid: string): Promise<boolean> {
    const { table, podsDir, mounts } = this.parts;
    if (table.of(podUid).some(({ state }) => state !== 'unmounted')) return true;
    const podDir = podsDir.of(podUid);
    if ((await volumesOnDisk(podDir)).length === 0) return false;
    return mountsBelow(await mounts.list(), join(podDir, 'volumes')).length > 0;
  }

  /** Those that PersistentVolumes ask for by annotation, without those that the pod has anyway. */
  extraSupplementalGroups(pod: Pod): readonly number[] {
    const own = pod.spec.securityContext?.supplementalGroups ?? [];
    const asked = this.parts.table.of(uidOf(pod)).flatMap(({ state, spec: { persistentVolume } }) => {
      if (state !== 'mounted' || persistentVolume === undefined) return [];
      return supplementalGroup(persistentVolume) ?? [];
    });
    return [...new Set(asked)].filter((group) => !own.includes(group));
  }

  async removeOrphanedPodDirs(knownPodUids: ReadonlySet<string>): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { metrics, mounts, podsDir, volumes, shared } = this.parts;
    const { logger, lifecycle } = this.deps;
    const isKnown = (podUid: string): boolean =>
      knownPodUids.has(podUid) || lifecycle.couldHaveRunningContainers(podUid);
    const emptyOrphan = (podUid: string): Promise<boolean> => volumes.clear(podUid);
    const deps = { mounts, podsDir: podsDir.path, metrics, logger, emptyOrphan };
    // Never two sweeps at once, even if one takes longer than the caller's period.
    this.sweep ??= sweepOrphans(isKnown, deps, this.stopping.signal).finally(() => {
      this.sweep = undefined;
    });
    await this.sweep;
    shared.releaseUnused();
  }

  /** Rejects in upstream's words, unless everything is mounted nevertheless. */
  private async explain(
    pod: Pod,
    unprocessed: readonly string[] | undefined,
    { error, wantedAtMs }: { readonly error: unknown; readonly wantedAtMs: number },
    wait: AbortSignal,
  ): Promise<void> {
    const names = usedVolumes(pod).map(({ volume }) => volume.name);
    const records = this.parts.table.of(uidOf(pod));
    const recordOf = (name: string): PodVolume | undefined => records.find((each) => each.outerNames.includes(name));
    const lists = {
      unmounted: names.filter((name) => recordOf(name)?.state !== 'mounted'),
      unattached: names.filter((name) => recordOf(name)?.shared?.attached === false),
      failedToProcess: unprocessed ?? names.filter((name) => recordOf(name) === undefined),
    };
    if (lists.unmounted.length === 0) return;
    const told = wait.aborted
      ? mountWaitError(lists, causeOfAbort(wait.reason), wait.reason)
      : mountWaitError(lists, messageOf(error));
    const { unmounted: left, unattached, failedToProcess: unresolved } = lists;
    const waiting = { operation: 'mount', volumes: left, unattached, unresolved } as const;
    this.parts.journal.waiting(pod, waiting, { wantedAtMs, error: told });
    if (!hasCode(wait.reason, 'cancelled') && (await this.attachesNoMore(records))) throw attachLimitError(told);
    throw told;
  }

  /** Whether the node has no room for one of the volumes that are not attached. */
  private async attachesNoMore(records: readonly PodVolume[]): Promise<boolean> {
    const { limits } = this.deps;
    if (limits === undefined || this.stopping.signal.aborted) return false;
    const waiting = records.filter(({ shared }) => shared?.attached === false);
    const answers = await Promise.all(waiting.map(({ spec }) => limits.exceeded(spec, this.stopping.signal)));
    return answers.includes(true);
  }
}
