import {
  ACTUATED_RESOURCES,
  ALLOCATED_RESOURCES,
  ALLOCATION_MANAGER,
  type ActuatedResources,
  type AllocatedResources,
  type AllocationManager,
} from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import {
  CGROUP_MANAGER,
  POD_CGROUP_CPU_REDUCTION,
  type CgroupManager,
  type PodCgroupCpuReduction,
} from '@podwright/cgroup-interface';
import { CONTAINER_RUNTIME, type ContainerRuntime, type RuntimePod } from '@podwright/container-runtime-interface';
import { isStaticPod, podFullName, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import {
  MIRROR_POD_CLIENT,
  POD_MANAGER,
  type MirrorPodClient,
  type PodManager,
} from '@podwright/pod-manager-interface';
import { RUNTIME_VIEW, type RuntimeView } from '@podwright/pleg-interface';
import { POD_MEMORY, type PodMemory } from '@podwright/pod-memory-interface';
import {
  ACTIVE_PODS,
  POD_WORKERS,
  type ActivePods,
  type PodWorkers,
  type PodWorkerSync,
} from '@podwright/pod-workers-interface';
import { PROBE_MANAGER, type ProbeManager } from '@podwright/probe-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { USER_NAMESPACES, type UserNamespaces } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { HousekeepingMetrics, type CountedWorker } from './housekeeping-metrics.js';
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
  private wantedBefore: ReadonlySet<string> = new Set();
  private readonly removing = new Set<string>();
  /** UIDs of mirror pods whose deletion is on its way: a server that hangs must not get another one every two seconds. */
  private readonly deletingMirrorPods = new Set<string>();
  private readonly metrics: HousekeepingMetrics;

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_WORKERS) private readonly workers: PodWorkers,
    @inject(ACTIVE_PODS) private readonly active: ActivePods,
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(PROBE_MANAGER) private readonly probes: ProbeManager,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(VOLUME_MANAGER) private readonly volumes: VolumeManager,
    @inject(CGROUP_MANAGER) private readonly cgroups: CgroupManager,
    @inject(POD_MEMORY) private readonly podMemory: PodMemory,
    @inject(USER_NAMESPACES) private readonly userNamespaces: Pick<UserNamespaces, 'releaseOrphans'>,
    @inject(ALLOCATION_MANAGER) private readonly allocations: Pick<AllocationManager, 'removeOrphans'>,
    @inject(ALLOCATED_RESOURCES) private readonly allocated: Pick<AllocatedResources, 'withAllocation'>,
    @inject(ACTUATED_RESOURCES) private readonly actuated: Pick<ActuatedResources, 'removeOrphans'>,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SYNC_LOOP_CONFIG) private readonly config: SyncLoopConfig,
    @inject(POD_CGROUP_CPU_REDUCTION, { isOptional: true })
    private readonly cpuReduction: PodCgroupCpuReduction | undefined,
    @inject(MIRROR_POD_CLIENT, { isOptional: true })
    private readonly mirrorPods: Pick<MirrorPodClient, 'delete'> | undefined,
    @inject(RUNTIME_VIEW, { isOptional: true }) private readonly view: RuntimeView | undefined,
  ) {
    this.metrics = new HousekeepingMetrics(metrics);
  }

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
    if (durationMs > slowPassMs)
      this.logger.error('Housekeeping took longer than expected', { expectedMs: slowPassMs, actualMs: durationMs });
  }

  // In upstream's order.
  private async pass(): Promise<void> {
    const desired = this.pods.getPods();
    const working = this.workers.syncKnownPods(desired);
    const known = new Set(working.keys());
    const counted: CountedWorker[] = [...working.values()];
    const running = await this.runningPods(known);
    this.probes.cleanupPods(new Set([...working].flatMap(([uid, { state }]) => (state === 'terminated' ? [] : [uid]))));
    const mirrors = this.pods.getMirrorPods();
    const spoken = new Set([...desired.map(podUid), ...mirrors.map(podUid), ...known]);
    this.statuses.removeOrphanedStatuses(spoken);
    this.allocations.removeOrphans(spoken);

    const wanted = new Set([...desired.map(podUid), ...known, ...running.map(({ uid }) => uid)]);
    this.forgetActuated(wanted);
    const searching = this.orphanSearchIsDue(wanted);
    // Before the directories: a range is known by its file there.
    if (searching) await this.releaseOrphanedUsers(wanted);
    if (searching) await this.removeOrphanedDirectories(wanted);
    this.deleteOrphanedMirrorPods(mirrors, working);
    this.metrics.setPods(desired, this.active.list(), mirrors);
    const restarted = desired.filter((one) => !known.has(podUid(one)) && !this.hasEnded(one));
    for (const pod of restarted) {
      this.update('create', pod);
      known.add(podUid(pod));
    }
    this.metrics.addRestarted(restarted);
    const runs = new Set(running.map(({ uid }) => uid));
    for (const pod of desired)
      if (!known.has(podUid(pod)) && !runs.has(podUid(pod)) && isDeletable(pod)) this.update('kill', pod);
    const orphaned = running.filter(({ uid }) => !known.has(uid));
    for (const runningPod of orphaned) {
      this.logger.info('Clean up containers for orphaned pod we had not seen before', { podUid: runningPod.uid });
      this.workers.updatePod({ type: 'kill', runningPod, kill: { gracePeriodSeconds: 1 } });
    }
    this.metrics.addOrphaned(orphaned.length);
    this.metrics.setWorking([...counted, ...restarted.map(syncing), ...orphaned.map(() => runtimeOnly)]);
    if (searching) await this.removeOrphanedCgroups(wanted);
    // Not waited for: what does not go now is found by the next pass.
    for (const uid of this.podMemory.podUids()) if (!wanted.has(uid)) void this.podMemory.forget(uid);
    this.runtime.purgeBackOffs();
  }

  // Not waited for: what fails is found by the next pass.
  private forgetActuated(wanted: ReadonlySet<string>): void {
    this.actuated
      .removeOrphans(wanted)
      .catch((error: unknown) => this.logger.error('Failed to remove actuated resources of orphaned pods', { error }));
  }

  // As long as containers of the static pod may run, its mirror pod shows that to the cluster. Not waited for: what does
  // not go now is found by the next pass.
  private deleteOrphanedMirrorPods(mirrorPods: readonly Pod[], working: ReadonlyMap<string, PodWorkerSync>): void {
    const orphaned = mirrorPods.filter((mirrorPod) => this.pods.getPodOfMirror(mirrorPod) === undefined);
    if (orphaned.length === 0) return;
    const ending = new Set<string>();
    for (const { state, fullName } of working.values()) if (state === 'terminating') ending.add(fullName);
    for (const mirrorPod of orphaned) {
      const fullName = podFullName(mirrorPod);
      if (!ending.has(fullName)) void this.deleteMirrorPod(fullName, podUid(mirrorPod));
    }
  }

  private async deleteMirrorPod(fullName: string, uid: string): Promise<void> {
    if (this.deletingMirrorPods.has(uid)) return;
    this.deletingMirrorPods.add(uid);
    try {
      const deleted = await this.mirrorPods?.delete(fullName, uid);
      this.logger.debug(3, 'Deleted mirror pod', { pod: fullName, deleted });
    } catch (error) {
      this.logger.error('Encountered error when deleting mirror pod', { pod: fullName, error });
    } finally {
      this.deletingMirrorPods.delete(uid);
    }
  }

  private update(type: 'create' | 'kill', given: Pod): void {
    const mirrorPod = this.pods.getMirrorPodOf(given);
    const pod = this.allocated.withAllocation(given);
    this.workers.updatePod({ type, pod, ...(mirrorPod !== undefined && { mirrorPod }) });
  }

  // A pod whose worker is gone although it has not ended came back with the UID of one that was ending.
  private hasEnded(pod: Pod): boolean {
    return isTerminal(pod.status?.phase) || isTerminal(this.statuses.getPodStatus(podUid(pod))?.phase);
  }

  private async runningPods(known: ReadonlySet<string>): Promise<readonly RuntimePod[]> {
    // A pleg that is told of changes spares the runtime a list in each pass.
    const listed =
      this.view?.pods()?.filter(isRunning) ?? (await this.runtime.getPods({ all: false, maxAgeMs: listAgeMs }));
    return listed.every(({ uid }) => known.has(uid)) ? listed : this.runtime.getPods({ all: false });
  }

  // What a pod leaves behind may be removed once nobody wants it any more, which is when its worker is forgotten.
  private orphanSearchIsDue(wanted: ReadonlySet<string>): boolean {
    const now = this.clock.monotonic();
    const orphaned = [...this.wantedBefore].some((uid) => !wanted.has(uid));
    this.wantedBefore = wanted;
    const due = orphaned || this.changed || now - this.lastOrphanSearchAt >= this.config.orphanSearchPeriodMs;
    if (!due) return false;
    this.lastOrphanSearchAt = now;
    this.changed = false;
    return true;
  }

  private async releaseOrphanedUsers(wanted: ReadonlySet<string>): Promise<void> {
    await this.userNamespaces.releaseOrphans(wanted).catch((error: unknown) => {
      this.changed = true;
      this.logger.error('Failed cleaning up orphaned pod user namespaces allocations', { error });
    });
  }

  private async removeOrphanedDirectories(wanted: ReadonlySet<string>): Promise<void> {
    await this.volumes.removeOrphanedPodDirs(wanted).catch((error: unknown) => {
      this.changed = true;
      this.logger.error('Failed cleaning up orphaned pod directories', { error });
    });
  }

  // Not waited for: processes that do not die must not hold the loop up.
  private async removeOrphanedCgroups(wanted: ReadonlySet<string>): Promise<void> {
    for (const uid of await this.cgroups.listPodUids()) {
      if (wanted.has(uid) || this.removing.has(uid)) continue;
      // While volumes remain, memory-backed ones would be charged to the cgroup above.
      const volumesRemain = await this.volumes.hasPossiblyMountedVolumes(uid);
      if (volumesRemain) this.changed = true;
      this.removing.add(uid);
      const failed = (error: unknown): void => {
        this.changed = true;
        this.logger.warn('Cgroup of an orphaned pod could not be removed, trying again', { podUid: uid, error });
      };
      void (volumesRemain ? this.reduceCpu(uid) : this.cgroups.remove(uid))
        .catch(failed)
        .finally(() => this.removing.delete(uid));
    }
  }

  private async reduceCpu(uid: string): Promise<void> {
    await this.cpuReduction?.reduceCpu(uid);
  }
}

// What the workers make of the updates that they have just been given.
const syncing = (pod: Pod): CountedWorker => ({
  state: 'sync',
  orphan: false,
  hasConfig: true,
  static: isStaticPod(pod),
});
const runtimeOnly: CountedWorker = { state: 'terminating', orphan: true, hasConfig: false, static: false };
const isRunning = ({ containers, sandboxes }: RuntimePod): boolean =>
  containers.some(({ state }) => state === 'running') || sandboxes.some(({ ready }) => ready);
const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';
// Ended and deleted: once it has a worker again, that one finds nothing to do and lets the API object go.
const isDeletable = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && isTerminal(status?.phase);
