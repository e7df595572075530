import type { EvictedPod, EvictionDecision } from '@podwright/eviction-interface';
import { isCriticalPod } from '@podwright/kube-types';
import { describeRanking, describeSignals, describeThresholds, type Instant } from '../decisions/describe-pressure.js';
import type { EvictionConfig } from '../eviction-config.js';
import { signalNames } from '../signals/signal.js';
import type { PressureState } from '../thresholds/assess-pressure.js';
import type { NodeView } from './node-observer.js';
import { nodeReclaim } from './node-reclaim.js';
import { localStorageEvictions, pressureEviction, rankFor } from './plan-evictions.js';
import { toRecord } from './pod-evictor.js';

/**
 * What a pass would do in this state if reclaiming node-level resources were not enough, with the ranking of every
 * observed signal. Pure.
 */
export function planDryRun(
  view: NodeView,
  state: PressureState,
  config: EvictionConfig,
  now: Instant,
): EvictionDecision {
  const { observations, layout, thresholds } = view;
  const ranked = signalNames
    .filter((signal) => observations[signal] !== undefined)
    .map((signal) => ({ signal, placed: rankFor(signal, view, config) }));
  const overLimits = config.localStorageCapacityIsolation ? localStorageEvictions(view) : [];
  const local = overLimits.filter(({ pod }) => !isCriticalPod(pod)).map(toRecord);
  const threshold = local.length > 0 ? undefined : state.active[0];
  const first = ranked
    .find(({ signal }) => signal === threshold?.signal)
    ?.placed.find(({ numbers }) => numbers.exempt === undefined);
  const forPressure: readonly EvictedPod[] =
    threshold === undefined || first === undefined
      ? []
      : [toRecord(pressureEviction(first.pod, threshold, view, config))];
  return {
    time: new Date(now.wallMs).toISOString(),
    dryRun: true,
    signals: describeSignals(observations, now),
    thresholds: describeThresholds(thresholds, state, now),
    conditions: state.conditions,
    ...(threshold !== undefined && { reclaimFor: threshold.signal }),
    reclaimed: threshold === undefined ? [] : nodeReclaim(threshold.signal, layout).map((what) => ({ what })),
    rankings: ranked.map(({ signal, placed }) => describeRanking(signal, layout, placed)),
    evicted: [...local, ...forPressure],
  };
}
