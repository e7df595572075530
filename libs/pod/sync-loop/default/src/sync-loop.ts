import { ALLOCATION_MANAGER, type AllocationManager } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, type Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { CONTAINER_GC, type ContainerGc } from '@podwright/container-gc-interface';
import { RUNTIME_STATE, type RuntimeState } from '@podwright/container-runtime-interface';
import { ALLOCATED_RESOURCE_HEALTH, type AllocatedResourceHealth } from '@podwright/device-manager-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import { PLEG, type Pleg, type PodLifecycleEvent } from '@podwright/pleg-interface';
import { POD_CONFIG, type PodConfig, type PodUpdate } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_WORK_QUEUE, type PodWorkQueue } from '@podwright/pod-workers-interface';
import { PROBE_RESULTS, type ProbeResults, type ProbeUpdate } from '@podwright/probe-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import {
  SYNC_HANDLER,
  type Bootstrap,
  type RunOnceOptions,
  type RunOnceResult,
  type SyncHandler,
} from '@podwright/sync-loop-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { LoopInputs, type LoopInput } from './loop-input.js';
import { waitForPods } from './run-once.js';
import { SYNC_LOOP_CONFIG, type SyncLoopConfig } from './sync-loop-config.js';

// Short at first, so that the start-up does not wait for a runtime that is about to answer.
const firstErrorPauseMs = 10;
const longestErrorPauseMs = 5_000;

/**
 * {@link Bootstrap}: receives what happens and hands it to the {@link SyncHandler}, one input after the other. It does
 * no work itself. Source: kubernetes v1.36 pkg/kubelet/kubelet.go syncLoop.
 */
@injectable()
export class SyncLoop implements Bootstrap {
  private readonly inputs = new LoopInputs();
  private lastIterationAt: number | undefined;

  constructor(
    @inject(POD_CONFIG) private readonly podConfig: PodConfig,
    @inject(PLEG) private readonly pleg: Pleg,
    @inject(POD_WORK_QUEUE) private readonly workQueue: PodWorkQueue,
    @inject(PROBE_RESULTS) private readonly probeResults: ProbeResults,
    @inject(RUNTIME_STATE) private readonly runtimeState: RuntimeState,
    @inject(SYNC_HANDLER) private readonly handler: SyncHandler,
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(CONTAINER_GC) private readonly containerGc: ContainerGc,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(ALLOCATION_MANAGER) private readonly allocations: Pick<AllocationManager, 'watch'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SYNC_LOOP_CONFIG) private readonly config: SyncLoopConfig,
    @inject(ALLOCATED_RESOURCE_HEALTH, { isOptional: true })
    private readonly resourceHealth?: Pick<AllocatedResourceHealth, 'watch'>,
  ) {}

  birthCry(): void {
    this.events.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
  }

  healthy(): Health {
    if (this.lastIterationAt === undefined) return { ok: true };
    const age = this.clock.monotonic() - this.lastIterationAt;
    return age <= this.config.stalledAfterMs
      ? { ok: true }
      : { ok: false, reason: 'sync Loop took longer than expected' };
  }

  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.listen();
    const ended = new AbortController();
    const housekeeping = this.clock.every(
      this.config.housekeepingPeriodMs,
      () => void this.inputs.push({ kind: 'housekeeping' }),
      AbortSignal.any([signal, ended.signal]),
    );
    this.logger.info('Starting kubelet main sync loop');
    try {
      while (!signal.aborted) {
        const input = await this.inputs.next(signal);
        await this.untilRuntimeIsFine(signal);
        this.lastIterationAt = this.clock.monotonic();
        // What hangs in the runtime must not hold up the stop; the next process finds what was left undone.
        await abortable(this.dispatch(input), signal);
        this.lastIterationAt = this.clock.monotonic();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
      ended.abort();
      await housekeeping;
    }
  }

  async runOnce({ timeoutMs }: RunOnceOptions): Promise<readonly RunOnceResult[]> {
    const stopped = new AbortController();
    const loop = this.run(stopped.signal);
    try {
      const { pods, statuses, podConfig, clock } = this;
      const waiting = waitForPods({ pods, statuses, podConfig, clock, timeoutMs, signal: stopped.signal });
      return await Promise.race([waiting, loop.then(() => [])]);
    } finally {
      stopped.abort();
      await loop;
    }
  }

  private listen(): () => void {
    const subscriptions = [
      this.podConfig.watch((update) => void this.inputs.push({ kind: 'config', update })),
      this.pleg.watch((event) => {
        if (!this.inputs.push({ kind: 'pleg', event }))
          this.logger.error('Event channel is full, discard this relist() cycle event', { podUid: event.podUid });
      }),
      this.workQueue.watch((podUid) => void this.inputs.push({ kind: 'due', podUid })),
      this.allocations.watch((podUid) => void this.inputs.push({ kind: 'due', podUid })),
      // A pod's status shows how its devices are.
      this.resourceHealth?.watch((podUids) => {
        for (const podUid of podUids) this.inputs.push({ kind: 'due', podUid });
      }),
      this.probeResults.watch((update) => void this.inputs.push({ kind: 'probe', update })),
      this.runtimeState.addHealthCheck('PLEG', () => {
        const health = this.pleg.healthy();
        return health.ok ? undefined : health.reason;
      }),
    ];
    return () => subscriptions.forEach((unsubscribe) => unsubscribe?.());
  }

  // With a broken runtime nothing can be synced; inputs wait, and the pause grows. Looked at after an input has come, not
  // before: the runtime may have gone while the loop was idle. Such a wait is no iteration, so it ages the health check.
  private async untilRuntimeIsFine(signal: AbortSignal): Promise<void> {
    let told = '';
    for (let pauseMs = firstErrorPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestErrorPauseMs)) {
      const errors = this.runtimeState.runtimeErrors();
      if (errors.length === 0) return;
      if (told !== errors.join()) this.logger.error('Skipping pod synchronization', { errors });
      told = errors.join();
      const changed = new AbortController();
      const unsubscribe = this.runtimeState.watch(() => changed.abort());
      await this.clock.sleep(pauseMs, AbortSignal.any([signal, changed.signal])).catch(() => signal.throwIfAborted());
      unsubscribe();
    }
  }

  private async dispatch(input: LoopInput): Promise<void> {
    switch (input.kind) {
      case 'config':
        return this.dispatchConfig(input.update);
      case 'pleg':
        return this.dispatchPlegEvent(input.event);
      case 'probe':
        return this.dispatchProbe(input.update);
      case 'due':
        return this.sync(input.podUid);
      case 'housekeeping':
        if (this.podConfig.allSourcesReady()) await this.handler.handlePodCleanups();
    }
  }

  private async dispatchConfig({ op, source, pods }: PodUpdate): Promise<void> {
    this.logger.debug(2, `SyncLoop ${op}`, { source, pods });
    if (op === 'ADD') await this.handler.handlePodAdditions(pods);
    else if (op === 'REMOVE') this.handler.handlePodRemoves(pods);
    else if (op === 'RECONCILE') this.handler.handlePodReconcile(pods);
    else this.handler.handlePodUpdates(pods); // DELETE is an update: the deletion timestamp does the rest
    this.podConfig.markSeen(source);
  }

  private dispatchPlegEvent(event: PodLifecycleEvent): void {
    if (event.type !== 'ContainerRemoved') this.sync(event.podUid);
    if (event.type === 'ContainerDied')
      this.containerGc.deleteDeadContainers(event.podUid, { exitedContainerId: event.containerId });
  }

  private dispatchProbe({ kind, podUid, result }: ProbeUpdate): void {
    // Readiness and startup results are in the status by now, the prober writes them there; liveness counts when it fails.
    if (kind !== 'liveness' || result === 'failure') this.sync(podUid);
  }

  private sync(podUid: string): void {
    const pod = this.pods.getPodByUid(podUid);
    if (pod !== undefined) this.handler.handlePodSyncs([pod]);
  }
}
