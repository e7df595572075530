import type { RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { isStaticPod, isTerminalPhase, podSource, podUid, type Pod, type PodSource } from '@podwright/kube-types';
import { syncErrorOf } from '@podwright/pod-sync-interface';
import { housekeepingStages } from '@podwright/sync-loop-interface';
import type { HousekeepingPass, HousekeepingStage, HousekeepingStep } from '@podwright/sync-loop-interface';
import { HousekeepingMetrics, type CountedWorker } from './housekeeping-metrics.js';
import type { SyncLoopConfig } from './sync-loop-config.js';
import type { SyncLoopNeeds } from './sync-loop-needs.js';

// Upstream logs a pass that blocks the loop for longer.
// Between the two the loop itself starts, restarts and kills pods.
const beforeWorkers = housekeepingStages.slice(0, housekeepingStages.indexOf('cgroups'));
const afterWorkers = housekeepingStages.slice(beforeWorkers.length);
const slowPassMs = 1_000;
// A recent list of the pleg suffices to find candidates, which are confirmed before they are killed.
const listAgeMs = 3_000;

/**
 * Reconciles the pod workers and the runtime's pods with the desired pods, and runs the steps that other managers
 * contribute. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go HandlePodCleanups.
 */
export class Housekeeping {
  private changed = true;
  private lastOrphanSearchAt = 0;
  private wantedBefore: ReadonlySet<string> = new Set();
  private readonly metrics: HousekeepingMetrics;
  /** A step in the background that hangs must not pile up, pass by pass. */
  private readonly running = new Set<HousekeepingStep>();
  /** UIDs of pods that had ended and are being ended once more. */
  private readonly ending = new Set<string>();

  constructor(
    private readonly deps: SyncLoopNeeds,
    private readonly config: SyncLoopConfig,
  ) {
    this.metrics = new HousekeepingMetrics(deps.metrics);
    for (const { stage, failure } of deps.steps) {
      if (housekeepingStages.includes(stage)) continue;
      const message = `the housekeeping step "${failure}" has the unknown stage ${JSON.stringify(stage)}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
  }

  /** Call it when the set of pods has changed: the next pass also searches directories and cgroups. */
  markChanged(): void {
    this.changed = true;
  }

  /**
   * One pass; with `sources`, over their static pods alone. Logs failures; the next pass finds what was missed.
   */
  async clean(sources?: ReadonlySet<PodSource>): Promise<void> {
    const startedAt = this.deps.clock.monotonic();
    try {
      if (sources === undefined) await this.pass();
      else this.staticPass(sources);
    } catch (error) {
      this.changed = true;
      this.deps.logger.error('Failed cleaning pods', { error });
    }
    const durationMs = Math.round(this.deps.clock.monotonic() - startedAt);
    if (durationMs > slowPassMs)
      this.deps.logger.error('Housekeeping took longer than expected', {
        expectedMs: slowPassMs,
        actualMs: durationMs,
      });
  }

  // In upstream's order.
  private async pass(): Promise<void> {
    const { pods, workers } = this.deps;
    const desired = pods.getPods();
    const working = workers.syncKnownPods(desired);
    const withWorker = new Set(working.keys());
    const counted: CountedWorker[] = [...working.values()];
    // Of what a list shows, only what had ended before it was made may be ended.
    const endedBefore = new Set([...working].flatMap(([uid, { state }]) => (state === 'terminated' ? [uid] : [])));
    const running = await this.runningPods((uid) => withWorker.has(uid) && !endedBefore.has(uid));
    const mirrorPods = pods.getMirrorPods();
    const used = new Set([...withWorker, ...running.map(({ uid }) => uid)]);
    const wanted = new Set([...desired.map(podUid), ...used]);
    const pass: HousekeepingPass = {
      desired,
      mirrorPods,
      workers: working,
      known: new Set([...desired.map(podUid), ...mirrorPods.map(podUid), ...withWorker]),
      wanted,
      possiblyRunning: new Set([...desired.filter((pod) => !this.hasEnded(pod)).map(podUid), ...used]),
      searching: this.orphanSearchIsDue(wanted),
      searchAgain: () => this.markChanged(),
    };
    for (const stage of beforeWorkers) await this.runStage(stage, pass);

    this.metrics.setPods(desired, this.deps.activePods.list(), mirrorPods);
    const restarted = this.restart(desired, withWorker);
    for (const pod of restarted) withWorker.add(podUid(pod));
    const runs = new Set(running.map(({ uid }) => uid));
    for (const pod of desired)
      if (!withWorker.has(podUid(pod)) && !runs.has(podUid(pod)) && this.isDeletable(pod)) this.update('kill', pod);
    const orphaned = running.filter(({ uid }) => !withWorker.has(uid));
    for (const runningPod of orphaned) {
      this.deps.logger.info('Clean up containers for orphaned pod we had not seen before', { podUid: runningPod.uid });
      workers.updatePod({ type: 'kill', runningPod, kill: { gracePeriodSeconds: 1 } });
    }
    this.metrics.addOrphaned(orphaned.length);
    this.metrics.setWorking([...counted, ...restarted.map(syncing), ...orphaned.map(() => runtimeOnly)]);

    for (const runningPod of running) if (endedBefore.has(runningPod.uid)) void this.end(runningPod);

    for (const stage of afterWorkers) await this.runStage(stage, pass);
  }

  // A runtime may be late with what a kubelet that died asked for: its pod can have ended before, and no worker looks then.
  private async end(runningPod: RuntimePod): Promise<void> {
    const { uid } = runningPod;
    if (this.ending.has(uid)) return;
    this.ending.add(uid);
    this.deps.logger.info('Clean up containers that appeared after the end of their pod', { podUid: uid });
    try {
      const error = syncErrorOf(await this.deps.runtime.killPod({ runningPod, gracePeriodSeconds: 1 }));
      if (error !== undefined) throw error;
    } catch (error) {
      this.deps.logger.error('Failed cleaning up containers that appeared after the end of their pod', {
        podUid: uid,
        error,
      });
    } finally {
      this.ending.delete(uid);
    }
  }

  // A node that hosts its own API server must get a mended manifest of it to run.
  private staticPass(sources: ReadonlySet<PodSource>): void {
    const isTheirs = (pod: Pod): boolean => {
      const source = podSource(pod);
      return source !== undefined && source !== 'api' && sources.has(source);
    };
    const desired = this.deps.pods.getPods().filter(isTheirs);
    this.restart(desired, this.deps.workers.syncKnownPods(desired, isTheirs));
  }

  private restart(desired: readonly Pod[], working: { has(uid: string): boolean }): readonly Pod[] {
    const restarted = desired.filter((one) => !working.has(podUid(one)) && !this.hasEnded(one));
    for (const pod of restarted) this.update('create', pod);
    this.metrics.addRestarted(restarted);
    return restarted;
  }

  private async runStage(stage: HousekeepingStage, pass: HousekeepingPass): Promise<void> {
    for (const step of this.deps.steps) {
      if (step.stage !== stage || this.running.has(step)) continue;
      const done = this.runStep(step, pass);
      if (step.background !== true) await done;
    }
  }

  private async runStep(step: HousekeepingStep, pass: HousekeepingPass): Promise<void> {
    this.running.add(step);
    try {
      await step.clean(pass);
    } catch (error) {
      this.changed = true;
      this.deps.logger.error(step.failure, { error });
    } finally {
      this.running.delete(step);
    }
  }

  private update(type: 'create' | 'kill', given: Pod): void {
    const mirrorPod = this.deps.pods.getMirrorPodOf(given);
    const pod = this.deps.allocated.withAllocation(given);
    this.deps.workers.updatePod({ type, pod, ...(mirrorPod !== undefined && { mirrorPod }) });
  }

  // A pod without a worker that has not ended was added again with the UID of a terminating one.
  private hasEnded(pod: Pod): boolean {
    return isTerminalPhase(pod.status?.phase) || isTerminalPhase(this.deps.statuses.getPodStatus(podUid(pod))?.phase);
  }

  // A new worker has nothing to do and lets the object be deleted.
  private isDeletable(pod: Pod): boolean {
    return pod.metadata.deletionTimestamp !== undefined && this.hasEnded(pod);
  }

  private async runningPods(isExpected: (uid: string) => boolean): Promise<readonly RuntimePod[]> {
    // A pleg with an event stream saves a list call per pass.
    const listed =
      this.deps.runtimeView?.pods()?.filter(isRunning) ??
      (await this.deps.runtime.getPods({ all: false, maxAgeMs: listAgeMs }));
    return listed.every(({ uid }) => isExpected(uid)) ? listed : this.deps.runtime.getPods({ all: false });
  }

  // What a pod leaves behind may be removed when it is no longer wanted, which is when its worker is forgotten.
  private orphanSearchIsDue(wanted: ReadonlySet<string>): boolean {
    const now = this.deps.clock.monotonic();
    const orphaned = [...this.wantedBefore].some((uid) => !wanted.has(uid));
    this.wantedBefore = wanted;
    const due = orphaned || this.changed || now - this.lastOrphanSearchAt >= this.config.orphanSearchPeriodMs;
    if (!due) return false;
    this.lastOrphanSearchAt = now;
    // Once more after a search that had something to find, so that what counts the last search's finds is right again.
    this.changed = orphaned;
    return true;
  }
}

// The state that workers take on for the updates they have just received.
const syncing = (pod: Pod): CountedWorker => ({
  state: 'sync',
  orphan: false,
  hasConfig: true,
  static: isStaticPod(pod),
});
const runtimeOnly: CountedWorker = { state: 'terminating', orphan: true, hasConfig: false, static: false };
const isRunning = ({ containers, sandboxes }: RuntimePod): boolean =>
  containers.some(({ state }) => state === 'running') || sandboxes.some(({ ready }) => ready);
