import type { ObservedSignal, ObservedThreshold, PodRanking } from '@podwright/eviction-interface';
import { quantityToBytes } from '@podwright/kube-types';
import type { DiskLayout } from '../disk-layout.js';
import type { PlacedPod } from '../ranking/rank-pods.js';
import { measuredParts, rankingRule } from '../ranking/ranking-rule.js';
import type { Observations } from '../signals/observe-signals.js';
import { signalNames, signals, type Signal } from '../signals/signal.js';
import type { PressureState } from '../thresholds/assess-pressure.js';
import { thresholdKey, thresholdQuantity, type Threshold } from '../thresholds/threshold.js';

/** The current time on both clocks. */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function describeSignals(observations: Observations, now: Instant): readonly ObservedSignal[] {
  return signalNames.flatMap((signal): ObservedSignal[] => {
    const observed = observations[signal];
    if (observed === undefined) return [];
    const { available, capacity, time } = observed;
    return [
      {
        signal,
        resource: signals[signal].resource,
        available: quantityToBytes(available),
        capacity: quantityToBytes(capacity),
        readAt: time ?? new Date(now.wallMs).toISOString(),
      },
    ];
  });
}

export function describeThresholds(
  thresholds: readonly Threshold[],
  { observations, metSinceMs }: PressureState,
  now: Instant,
): readonly ObservedThreshold[] {
  return thresholds.map((threshold) => {
    const { signal, value, minReclaim, gracePeriodMs } = threshold;
    const capacity = observations[signal]?.capacity;
    const sinceMs = metSinceMs.get(thresholdKey(threshold));
    return {
      signal,
      ...(capacity !== undefined && { quantity: quantityToBytes(thresholdQuantity(value, capacity)) }),
      ...(capacity !== undefined &&
        minReclaim !== undefined && { minReclaim: quantityToBytes(thresholdQuantity(minReclaim, capacity)) }),
      gracePeriodMs,
      met: sinceMs !== undefined,
      ...(sinceMs !== undefined && { metSince: new Date(now.wallMs - (now.monotonicMs - sinceMs)).toISOString() }),
    };
  });
}

export function describeRanking(signal: Signal, layout: DiskLayout, placed: readonly PlacedPod[]): PodRanking {
  const rule = rankingRule(signal, layout);
  return {
    signal,
    resource: rule.resource,
    measured: measuredParts(rule),
    pods: placed.map(({ numbers }) => numbers),
  };
}
