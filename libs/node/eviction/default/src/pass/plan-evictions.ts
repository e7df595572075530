import type { Pod } from '@podwright/kube-types';
import type { EvictionConfig } from '../eviction-config.js';
import { evictionText } from '../eviction-message.js';
import { exceededLimit } from '../local-storage/exceeded-limit.js';
import { rankPods, type PlacedPod } from '../ranking/rank-pods.js';
import { rankingRule } from '../ranking/ranking-rule.js';
import { signals, type Signal } from '../signals/signal.js';
import { isHard, thresholdQuantity, type Threshold } from '../thresholds/threshold.js';
import type { NodeView } from './node-observer.js';
import type { PlannedEviction } from './pod-evictor.js';

/** Grace period of a pod when the node cannot wait. */
const immediateGracePeriodSeconds = 1;

type Rules = Pick<EvictionConfig, 'maxPodGracePeriodSeconds' | 'podLevelResources'>;

/** All pods that exceed a local storage limit, including critical ones; a pod without statistics exceeds nothing. */
export function localStorageEvictions({ pods, statsOf, layout }: NodeView): readonly PlannedEviction[] {
  return pods.flatMap((pod): PlannedEviction[] => {
    const stats = statsOf(pod.metadata.uid ?? '');
    const exceeded = stats && exceededLimit(pod, stats, layout !== 'single');
    if (exceeded === undefined) return [];
    const gracePeriodSeconds = immediateGracePeriodSeconds;
    return [{ pod, ...exceeded, annotations: {}, gracePeriodSeconds, disruption: false }];
  });
}

export function rankFor(signal: Signal, { pods, statsOf, layout }: NodeView, rules: Rules): readonly PlacedPod[] {
  return rankPods(pods, statsOf, rankingRule(signal, layout), rules);
}

/** The planned eviction of one pod for a threshold. */
export function pressureEviction(pod: Pod, threshold: Threshold, view: NodeView, rules: Rules): PlannedEviction {
  const { signal, value } = threshold;
  const observed = view.observations[signal];
  // A threshold without an observation is never met.
  if (observed === undefined) throw new TypeError(`no observation of ${signal}`);
  const quantity = thresholdQuantity(value, observed.capacity);
  const stats = view.statsOf(pod.metadata.uid ?? '');
  const text = evictionText(signals[signal].resource, pod, stats, { quantity, observed }, rules.podLevelResources);
  return { pod, signal, ...text, gracePeriodSeconds: gracePeriodOf(pod, threshold, rules), disruption: true };
}

function gracePeriodOf({ spec }: Pod, threshold: Threshold, { maxPodGracePeriodSeconds }: Rules): number {
  if (isHard(threshold)) return immediateGracePeriodSeconds;
  return Math.min(maxPodGracePeriodSeconds, spec.terminationGracePeriodSeconds ?? maxPodGracePeriodSeconds);
}
