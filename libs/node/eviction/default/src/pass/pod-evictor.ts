import type { EvictedPod } from '@podwright/eviction-interface';
import { messageOf } from '@podwright/errors';
import { isCriticalPod, podRef, type Pod } from '@podwright/kube-types';
import type { Counter } from '@podwright/metrics';
import { evictedReason, evictedStatus } from '../evicted-status.js';
import type { EvictionNeeds } from '../eviction-needs.js';

/** One pod to evict, and the reason. */
export interface PlannedEviction {
  readonly pod: Pod;
  /** The signal, or the local storage limit. */
  readonly signal: string;
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly gracePeriodSeconds: number;
  /** True for a shortage of the node, false for limits of the pod. */
  readonly disruption: boolean;
}

/** Evicts pods. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go evictPod. */
export class PodEvictor {
  private readonly evictions: Counter;

  constructor(private readonly deps: Pick<EvictionNeeds, 'workers' | 'events' | 'metrics' | 'logger'>) {
    this.evictions = deps.metrics.counter({
      name: 'kubelet_evictions',
      help: 'Cumulative number of pod evictions by eviction signal',
      labels: ['eviction_signal'],
    });
  }

  /** Returns false for a critical pod, and logs it. */
  mayEvict(pod: Pod): boolean {
    if (!isCriticalPod(pod)) return true;
    this.deps.logger.error('Eviction manager: cannot evict a critical pod', { pod: podRef(pod) });
    return false;
  }

  /** Resolves when the containers have ended, or with the reason why they have not. Never rejects. */
  async evict(planned: PlannedEviction): Promise<EvictedPod> {
    const { workers, events, logger } = this.deps;
    const { pod, signal, message, annotations, gracePeriodSeconds, disruption } = planned;
    events.event({ kind: 'Pod', pod }, 'Warning', evictedReason, message, annotations);
    let error: string | undefined;
    try {
      await workers.killPodNow(pod, {
        evict: true,
        gracePeriodSeconds,
        overrideStatus: (status) => evictedStatus(pod, status, message, disruption),
      });
      logger.info('Eviction manager: pod is evicted successfully', { pod: podRef(pod) });
    } catch (thrown) {
      // The pod's worker continues to terminate it.
      error = messageOf(thrown);
      logger.error('Eviction manager: pod failed to evict', { pod: podRef(pod), error: thrown });
    }
    this.evictions.increment({ eviction_signal: signal });
    return { ...toRecord(planned), ...(error !== undefined && { error }) };
  }
}

export function toRecord({ pod, signal, message, gracePeriodSeconds }: PlannedEviction): EvictedPod {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return { namespace, name, uid, signal, message, gracePeriodSeconds };
}
