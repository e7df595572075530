import type { ContainerGc } from '@podwright/container-gc-interface';
import { withDeadline } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import type { EvictedPod, EvictionDecision } from '@podwright/eviction-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { ImageGc } from '@podwright/image-gc-interface';
import type { Logger } from '@podwright/logging';
import type { Histogram } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { EvictionConfig } from '../eviction-config.js';
import { signals } from '../signals/signal.js';
import { metThresholds } from '../thresholds/assess-pressure.js';
import type { Threshold } from '../thresholds/threshold.js';
import type { PlacedPod } from '../ranking/rank-pods.js';
import type { NodeLook, NodeView } from './node-look.js';
import { nodeReclaim, type NodeResource } from './node-reclaim.js';
import { localStorageEvictions, pressureEviction, rankFor } from './plan-evictions.js';
import type { PlannedEviction, PodEvictor } from './pod-evictor.js';

export interface EvictionPassDeps {
  readonly look: NodeLook;
  readonly evictor: PodEvictor;
  readonly containerGc: Pick<ContainerGc, 'garbageCollect'>;
  readonly imageGc: Pick<ImageGc, 'deleteUnusedImages'> | undefined;
  readonly events: EventRecorder;
  readonly statsAge: Histogram;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a pass did for a signal with the node, and has still to do with pods. */
export interface Reclaimed {
  readonly reclaimed: EvictionDecision['reclaimed'];
  /** Absent when no pod had to be ranked. */
  readonly ranked?: readonly PlacedPod[];
  readonly planned: readonly PlannedEviction[];
}

// A runtime that removes nothing must not keep pods from being evicted.
const reclaimTimeoutMs = 120_000;

/** What a pass does once it knows the shortage. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go. */
export class EvictionPass {
  constructor(
    private readonly deps: EvictionPassDeps,
    private readonly config: EvictionConfig,
  ) {}

  /** Every pod beyond its limits of local storage. */
  planLocalStorage(view: NodeView): readonly PlannedEviction[] {
    return localStorageEvictions(view).filter(({ pod }) => this.deps.evictor.mayEvict(pod));
  }

  /** One after the other. */
  async evict(planned: readonly PlannedEviction[], signal: AbortSignal): Promise<readonly EvictedPod[]> {
    const evicted: EvictedPod[] = [];
    for (const eviction of planned) {
      if (signal.aborted) break;
      evicted.push(await this.deps.evictor.evict(eviction));
    }
    return evicted;
  }

  /**
   * For the first of the thresholds: frees what the node can spare, else names one pod. `thresholds` is not empty; `view` holds the statistics
   * of all pods, as they may not be readable any more when nothing could be spared.
   */
  async reclaim(thresholds: readonly Threshold[], view: NodeView, signal: AbortSignal): Promise<Reclaimed> {
    const { events, logger, evictor } = this.deps;
    const [threshold] = thresholds;
    if (threshold === undefined) return { reclaimed: [], planned: [] };
    const { resource } = signals[threshold.signal];
    logger.info('Eviction manager: attempting to reclaim', { resourceName: resource });
    events.event({ kind: 'Node' }, 'Warning', 'EvictionThresholdMet', `Attempting to reclaim ${resource}`);
    const reclaimed = await this.reclaimNode(threshold, view, signal);
    if (reclaimed.length > 0 && (await this.isResolved(view, signal))) {
      const message = 'Eviction manager: able to reduce resource pressure without evicting pods.';
      logger.info(message, { resourceName: resource });
      return { reclaimed, planned: [] };
    }
    logger.info('Eviction manager: must evict pod(s) to reclaim', { resourceName: resource });
    if (view.pods.length === 0) {
      logger.error('Eviction manager: eviction thresholds have been met, but no pods are active to evict');
      return { reclaimed, planned: [] };
    }
    const ranked = rankFor(threshold.signal, view, this.config);
    this.observeAges(thresholds, view);
    const first = ranked.find(({ pod }) => evictor.mayEvict(pod));
    if (first !== undefined) {
      return { reclaimed, ranked, planned: [pressureEviction(first.pod, threshold, view, this.config)] };
    }
    logger.info('Eviction manager: unable to evict any pods from the node');
    return { reclaimed, ranked, planned: [] };
  }

  private async reclaimNode(
    threshold: Threshold,
    { layout }: NodeView,
    signal: AbortSignal,
  ): Promise<EvictionDecision['reclaimed']> {
    const reclaimed: EvictionDecision['reclaimed'][number][] = [];
    for (const what of nodeReclaim(threshold.signal, layout)) {
      try {
        await withDeadline(this.deps.clock, reclaimTimeoutMs, (limited) => this.free(what, limited), signal);
        reclaimed.push({ what });
      } catch (error) {
        const message = 'Eviction manager: unexpected error when attempting to reduce resource pressure';
        this.deps.logger.warn(message, { resourceName: signals[threshold.signal].resource, what, error });
        reclaimed.push({ what, error: messageOf(error) });
      }
    }
    return reclaimed;
  }

  private async free(what: NodeResource, signal: AbortSignal): Promise<void> {
    const { containerGc, imageGc } = this.deps;
    if (what === 'containers') await containerGc.garbageCollect({ includeEnded: true });
    else await imageGc?.deleteUnusedImages(signal);
  }

  /** All thresholds, whatever their grace, with their minimum reclaim. */
  private async isResolved({ thresholds }: NodeView, signal: AbortSignal): Promise<boolean> {
    try {
      const observations = await this.deps.look.observe(signal);
      return metThresholds(thresholds, observations, { withMinReclaim: true }).length === 0;
    } catch (error) {
      this.deps.logger.error('Eviction manager: failed to get summary stats after resource reclaim', { error });
      return false;
    }
  }

  private observeAges(thresholds: readonly Threshold[], { observations }: NodeView): void {
    for (const { signal } of thresholds) {
      const time = observations[signal]?.time;
      if (time === undefined) continue;
      const ageMs = this.deps.clock.now() - Date.parse(time);
      this.deps.statsAge.observe(ageMs / 1_000, { eviction_signal: signal });
    }
  }
}
