import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, type CgroupManager } from '@podwright/cgroup-interface';
import { CONTAINER_RUNTIME, type ContainerRuntime, type RuntimePod } from '@podwright/container-runtime-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_WORKERS, type PodWorkerSync, type PodWorkers } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER, type ProbeManager } from '@podwright/probe-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { SYNC_LOOP_CONFIG, type SyncLoopConfig } from './sync-loop-config.js';

// Upstream complains about a pass that keeps the loop for longer.
const slowPassMs = 1_000;
// A list that the pleg has just read is good enough to find candidates; they are confirmed before anything is killed.
const listAgeMs = 3_000;

/** Brings workers, statuses, directories and cgroups in line with the desired pods. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go HandlePodCleanups. */
@injectable()
export class Housekeeping {
  private changed = true;
  private lastOrphanSearchAt = 0;

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_WORKERS) private readonly workers: PodWorkers,
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(PROBE_MANAGER) private readonly probes: ProbeManager,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(VOLUME_MANAGER) private readonly volumes: VolumeManager,
    @inject(CGROUP_MANAGER) private readonly cgroups: CgroupManager,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SYNC_LOOP_CONFIG) private readonly config: SyncLoopConfig,
  ) {}

  /** The set of pods changed: the next pass searches directories and cgroups too. */
  markChanged(): void {
    this.changed = true;
  }

  /** One pass. Failures are logged; what was missed is found by the next pass. */
  async clean(): Promise<void> {
    const startedAt = this.clock.monotonic();
    try {
      await this.pass();
    } catch (error) {
      this.changed = true;
      this.logger.error('Failed cleaning pods', { error });
    }
    const durationMs = Math.round(this.clock.monotonic() - startedAt);
    if (durationMs > slowPassMs) this.logger.error('Housekeeping took longer than expected', { expectedMs: slowPassMs, actualMs: durationMs });
  }

  private async pass(): Promise<void> {
    const desired = this.pods.getPods();
    const desiredUids = new Set(desired.map(podUid));
    const working = this.workers.syncKnownPods(desired);
    const possiblyRunning = new Set([...working].flatMap(([uid, { state }]) => (state === 'terminated' ? [] : [uid])));
    this.probes.cleanupPods(possiblyRunning);
    this.statuses.removeOrphanedStatuses(new Set([...desiredUids, ...working.keys(), ...this.pods.getMirrorPods().map(podUid)]));

    this.restartWaiting(desired, working);
    const unknown = await this.runningWithoutWorker(working);
    for (const runningPod of unknown) {
      this.logger.info('Clean up containers for orphaned pod we had not seen before', { podUid: runningPod.uid });
      this.workers.updatePod({ type: 'kill', runningPod, kill: { gracePeriodSeconds: 1 } });
    }
    if (this.orphanSearchIsDue()) await this.removeOrphans(new Set([...desiredUids, ...working.keys(), ...unknown.map(({ uid }) => uid)]));
    this.runtime.purgeBackOffs();
  }

  // A pod that came back with the UID of one that was ending: its worker is gone by now, so it gets a new one.
  private restartWaiting(desired: readonly Pod[], working: ReadonlyMap<string, PodWorkerSync>): void {
    for (const pod of desired) {
      const phase = this.statuses.getPodStatus(podUid(pod))?.phase;
      if (working.has(podUid(pod)) || phase === 'Failed' || phase === 'Succeeded') continue;
      const mirrorPod = this.pods.getMirrorPodOf(pod);
      this.workers.updatePod({ type: 'create', pod, ...(mirrorPod !== undefined && { mirrorPod }) });
    }
  }

  private async runningWithoutWorker(working: ReadonlyMap<string, PodWorkerSync>): Promise<readonly RuntimePod[]> {
    const workerless = (pods: readonly RuntimePod[]): readonly RuntimePod[] => pods.filter(({ uid }) => !working.has(uid));
    const candidates = workerless(await this.runtime.getPods({ all: false, maxAgeMs: listAgeMs }));
    return candidates.length === 0 ? [] : workerless(await this.runtime.getPods({ all: false }));
  }

  private orphanSearchIsDue(): boolean {
    return this.changed || this.clock.monotonic() - this.lastOrphanSearchAt >= this.config.orphanSearchPeriodMs;
  }

  private async removeOrphans(known: ReadonlySet<string>): Promise<void> {
    this.lastOrphanSearchAt = this.clock.monotonic();
    this.changed = false;
    await this.volumes.removeOrphanedPodDirs(known);
    for (const uid of await this.cgroups.listPodUids()) {
      if (known.has(uid)) continue;
      await this.cgroups.remove(uid).catch((error: unknown) => {
        this.changed = true;
        this.logger.warn('Cgroup of an orphaned pod could not be removed, trying again', { podUid: uid, error });
      });
    }
  }
}
