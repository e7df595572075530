import { withDeadline } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import type { EvictedPod, EvictionDecision } from '@podwright/eviction-interface';
import type { Histogram } from '@podwright/metrics';
import type { EvictionConfig } from '../eviction-config.js';
import { signals } from '../signals/signal.js';
import { metThresholds } from '../thresholds/assess-pressure.js';
import type { Threshold } from '../thresholds/threshold.js';
import type { PlacedPod } from '../ranking/rank-pods.js';
import type { NodeObserver, NodeView } from './node-observer.js';
import { nodeReclaim, type NodeResource } from './node-reclaim.js';
import { localStorageEvictions, pressureEviction, rankFor } from './plan-evictions.js';
import type { PlannedEviction, PodEvictor } from './pod-evictor.js';
import type { EvictionNeeds } from '../eviction-needs.js';

type EvictionPassDeps = Pick<EvictionNeeds, 'containerGc' | 'imageGc' | 'events' | 'clock' | 'logger'> & {
  readonly observer: NodeObserver;
  readonly evictor: PodEvictor;
  readonly statsAge: Histogram;
};

/** What a pass reclaimed for a signal, and the pods that it still has to evict. */
export interface Reclaimed {
  readonly reclaimed: EvictionDecision['reclaimed'];
  /** Absent when no pod had to be ranked. */
  readonly ranked?: readonly PlacedPod[];
  readonly planned: readonly PlannedEviction[];
}

// A runtime whose removal hangs must not block evictions.
const reclaimTimeoutMs = 120_000;

/**
 * The actions of a pass once the shortage is known. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go.
 */
export class EvictionPass {
  constructor(
    private readonly deps: EvictionPassDeps,
    private readonly config: EvictionConfig,
  ) {}

  /** Plans the eviction of every pod that exceeds its local storage limits. */
  planLocalStorage(view: NodeView): readonly PlannedEviction[] {
    return localStorageEvictions(view).filter(({ pod }) => this.deps.evictor.mayEvict(pod));
  }

  /** Evicts the pods one after another. */
  async evict(planned: readonly PlannedEviction[], signal: AbortSignal): Promise<readonly EvictedPod[]> {
    const evicted: EvictedPod[] = [];
    for (const eviction of planned) {
      if (signal.aborted) break;
      evicted.push(await this.deps.evictor.evict(eviction));
    }
    return evicted;
  }

  /**
   * Handles the first threshold: reclaims node-level resources, and picks one pod if that is not enough. `thresholds`
   * must not be empty. `view` must hold the statistics of all pods, which may be unreadable by the time a pod must be
   * picked.
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

  /** Whether no threshold is met any more, including minimum reclaim and regardless of grace periods. */
  private async isResolved({ thresholds }: NodeView, signal: AbortSignal): Promise<boolean> {
    try {
      const observations = await this.deps.observer.observe(signal);
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
