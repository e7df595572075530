import type { Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import type { PodSource, PodUpdate } from '@podwright/pod-config-interface';
import type { ProbeUpdate } from '@podwright/probe-interface';
import type { Bootstrap, RunOnceOptions, RunOnceResult, SyncHandler } from '@podwright/sync-loop-interface';
import { GrowingPause, linkSignals } from '@podwright/time';
import { LoopInputs, type LoopInput } from './loop-input.js';
import { waitForPods } from './run-once.js';
import type { SyncLoopConfig } from './sync-loop-config.js';
import type { SyncLoopNeeds } from './sync-loop-needs.js';

// Short at first, so that the start does not wait for a runtime that is about to answer.
const firstErrorPauseMs = 10;
const longestErrorPauseMs = 5_000;

/**
 * {@link Bootstrap} that receives inputs and passes them to the {@link SyncHandler}, one after another. Does no work
 * itself. Source: kubernetes v1.36 pkg/kubelet/kubelet.go syncLoop.
 */
export class SyncLoop implements Bootstrap {
  private readonly inputs = new LoopInputs();
  private lastIterationAt: number | undefined;
  /** Sources of static pods whose first delivery was handled. */
  private readonly seenStatic = new Set<PodSource>();

  constructor(
    private readonly deps: SyncLoopNeeds & { readonly handler: SyncHandler },
    private readonly config: SyncLoopConfig,
  ) {}

  birthCry(): void {
    this.deps.events.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
  }

  healthy(): Health {
    if (this.lastIterationAt === undefined) return { ok: true };
    const age = this.deps.clock.monotonic() - this.lastIterationAt;
    return age <= this.config.stalledAfterMs
      ? { ok: true }
      : { ok: false, reason: 'sync Loop took longer than expected' };
  }

  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.listen();
    const ended = linkSignals(signal);
    const housekeeping = this.deps.clock.every(
      this.config.housekeepingPeriodMs,
      () => void this.inputs.push({ kind: 'housekeeping' }),
      ended.signal,
    );
    this.deps.logger.info('Starting kubelet main sync loop');
    try {
      while (!signal.aborted) {
        const input = await this.inputs.next(signal);
        await this.untilRuntimeIsFine(signal);
        this.lastIterationAt = this.deps.clock.monotonic();
        // A runtime call that hangs must not delay the stop; the next process finds what was left undone.
        await abortable(this.dispatch(input), signal);
        this.lastIterationAt = this.deps.clock.monotonic();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
      ended.abort();
      ended.dispose();
      await housekeeping;
    }
  }

  async runOnce({ timeoutMs }: RunOnceOptions): Promise<readonly RunOnceResult[]> {
    const stopped = new AbortController();
    const loop = this.run(stopped.signal);
    try {
      const { pods, statuses, podConfig, clock } = this.deps;
      const waiting = waitForPods({ pods, statuses, podConfig, clock, timeoutMs, signal: stopped.signal });
      return await Promise.race([waiting, loop.then(() => [])]);
    } finally {
      stopped.abort();
      await loop;
    }
  }

  private listen(): () => void {
    const subscriptions = [
      this.deps.podConfig.watch((update) => void this.inputs.push({ kind: 'config', update })),
      this.deps.pleg.watch((event) => {
        if (!this.inputs.push({ kind: 'pleg', event }))
          this.deps.logger.error('Event channel is full, discard this relist() cycle event', { podUid: event.podUid });
      }),
      this.deps.workQueue.watch((podUid) => void this.inputs.push({ kind: 'due', podUid })),
      this.deps.allocations.watch((podUid) => void this.inputs.push({ kind: 'due', podUid })),
      // A pod's status shows the health of its devices.
      ...this.deps.resourceHealth.map((health) =>
        health.watch((podUids) => {
          for (const podUid of podUids) this.inputs.push({ kind: 'due', podUid });
        }),
      ),
      this.deps.probeResults.watch((update) => void this.inputs.push({ kind: 'probe', update })),
      this.deps.runtimeState.addHealthCheck('PLEG', () => {
        const health = this.deps.pleg.healthy();
        return health.ok ? undefined : health.reason;
      }),
    ];
    return () => subscriptions.forEach((unsubscribe) => unsubscribe?.());
  }

  // With a broken runtime nothing can be synced; inputs wait, and the pause grows. Checked after an input has arrived,
  // because the runtime may fail while the loop is idle. The wait is no iteration, so it ages the health check.
  private async untilRuntimeIsFine(signal: AbortSignal): Promise<void> {
    let told = '';
    const begunAtMs = this.deps.clock.monotonic();
    const pause = new GrowingPause({ firstMs: firstErrorPauseMs, longestMs: longestErrorPauseMs });
    for (;;) {
      const errors = this.deps.runtimeState.runtimeErrors();
      if (errors.length === 0) {
        const pausedMs = this.deps.clock.monotonic() - begunAtMs;
        if (told !== '') this.deps.journal?.report({ kind: 'sync.resumed', pausedMs });
        return;
      }
      if (told !== errors.join()) {
        this.deps.logger.error('Skipping pod synchronization', { errors });
        this.deps.journal?.report({ kind: 'sync.paused', errors });
      }
      told = errors.join();
      const changed = linkSignals(signal);
      const unsubscribe = this.deps.runtimeState.watch(() => changed.abort());
      await this.deps.clock.sleep(pause.next(), changed.signal).catch(() => undefined);
      unsubscribe();
      changed.dispose();
      signal.throwIfAborted();
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
        if (this.deps.podConfig.allSourcesReady()) await this.deps.handler.handlePodCleanups();
        else if (this.seenStatic.size > 0) await this.deps.handler.handlePodCleanups(this.seenStatic);
    }
  }

  private async dispatchConfig({ op, source, pods }: PodUpdate): Promise<void> {
    this.deps.logger.debug(2, `SyncLoop ${op}`, { source, pods });
    if (op === 'ADD') await this.deps.handler.handlePodAdditions(pods);
    else if (op === 'REMOVE') this.deps.handler.handlePodRemoves(pods);
    else if (op === 'RECONCILE') this.deps.handler.handlePodReconcile(pods);
    else await this.deps.handler.handlePodUpdates(pods); // DELETE is an update: the deletion timestamp does the rest
    this.deps.podConfig.markSeen(source);
    if (source !== 'api') this.seenStatic.add(source);
  }

  private dispatchPlegEvent(event: PodLifecycleEvent): void {
    if (event.type !== 'ContainerRemoved') this.sync(event.podUid);
    if (event.type === 'ContainerDied')
      this.deps.containerGc.deleteDeadContainers(event.podUid, { exitedContainerId: event.containerId });
  }

  private dispatchProbe({ kind, podUid, result }: ProbeUpdate): void {
    // The prober has already written readiness and startup results to the status; liveness matters when it fails.
    if (kind !== 'liveness' || result === 'failure') this.sync(podUid);
  }

  private sync(podUid: string): void {
    const pod = this.deps.pods.getPodByUid(podUid);
    if (pod !== undefined) this.deps.handler.handlePodSyncs([pod]);
  }
}
