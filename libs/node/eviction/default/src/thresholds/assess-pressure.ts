import { addQuantities, compareQuantities } from '@podwright/kube-types';
import type { Observations } from '../signals/observe-signals.js';
import { signalNames, signals, type PressureCondition, type Signal } from '../signals/signal.js';
import { thresholdKey, thresholdQuantity, type Threshold } from './threshold.js';

/** State that one pass hands to the next. Times are milliseconds of the monotonic clock. */
export interface PressureState {
  /** Since when each threshold has been met, by {@link thresholdKey}. */
  readonly metSinceMs: ReadonlyMap<string, number>;
  /** Thresholds that are met, past their grace period, and not resolved yet. */
  readonly active: readonly Threshold[];
  readonly conditionSeenMs: ReadonlyMap<PressureCondition, number>;
  readonly conditions: readonly PressureCondition[];
  readonly observations: Observations;
}

export const noPressure: PressureState = {
  metSinceMs: new Map(),
  active: [],
  conditionSeenMs: new Map(),
  conditions: [],
  observations: {},
};

export interface PressureRules {
  readonly thresholds: readonly Threshold[];
  readonly transitionPeriodMs: number;
}

/**
 * Computes the state after `observations`. Pure. A condition stays for the transition period after it was last
 * observed; order: memory, disk, processes. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go
 * synchronize.
 */
export function assessPressure(
  before: PressureState,
  observations: Observations,
  { thresholds, transitionPeriodMs }: PressureRules,
  nowMs: number,
): PressureState {
  const met = inOrder([
    ...metThresholds(thresholds, observations),
    ...metThresholds(before.active, observations, { withMinReclaim: true }),
  ]);
  const metSinceMs = new Map(
    met.map((threshold) => {
      const key = thresholdKey(threshold);
      return [key, before.metSinceMs.get(key) ?? nowMs] as const;
    }),
  );
  const conditionSeenMs = new Map(before.conditionSeenMs);
  for (const { signal } of met) conditionSeenMs.set(signals[signal].condition, nowMs);
  const holds = (condition: PressureCondition): boolean =>
    nowMs - (conditionSeenMs.get(condition) ?? Number.NEGATIVE_INFINITY) < transitionPeriodMs;
  const isPastGrace = (threshold: Threshold): boolean =>
    nowMs - (metSinceMs.get(thresholdKey(threshold)) ?? nowMs) >= threshold.gracePeriodMs;
  return {
    metSinceMs,
    active: met.filter(isPastGrace),
    conditionSeenMs,
    conditions: allConditions.filter(holds),
    observations,
  };
}

const allConditions: readonly PressureCondition[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/**
 * Thresholds whose resource has less available than the threshold, plus its minimum reclaim with `withMinReclaim`. A
 * threshold without an observation is not met.
 */
export function metThresholds(
  thresholds: readonly Threshold[],
  observations: Observations,
  { withMinReclaim = false }: { readonly withMinReclaim?: boolean } = {},
): readonly Threshold[] {
  return thresholds.filter(({ signal, value, minReclaim }) => {
    const observed = observations[signal];
    if (observed === undefined) return false;
    const { available, capacity } = observed;
    const quantity = thresholdQuantity(value, capacity);
    const wanted =
      withMinReclaim && minReclaim !== undefined
        ? addQuantities(quantity, thresholdQuantity(minReclaim, capacity))
        : quantity;
    return compareQuantities(wanted, available) > 0;
  });
}

/**
 * Thresholds on which a pass may act: those observed after the last pass, so that no pod is evicted for a shortage that
 * is already resolved.
 */
export function newlyObserved(
  thresholds: readonly Threshold[],
  observations: Observations,
  last: Observations,
): readonly Threshold[] {
  return thresholds.filter(({ signal }) => {
    const time = observations[signal]?.time;
    const lastTime = last[signal]?.time;
    if (time === undefined) return observations[signal] !== undefined;
    return lastTime === undefined || Date.parse(time) > Date.parse(lastTime);
  });
}

// Each threshold once, sorted by signal, then by grace period.
function inOrder(thresholds: readonly Threshold[]): readonly Threshold[] {
  const byKey = new Map(thresholds.map((threshold) => [thresholdKey(threshold), threshold]));
  return [...byKey.values()].sort((a, b) => rank(a.signal) - rank(b.signal) || a.gracePeriodMs - b.gracePeriodMs);
}

const rank = (signal: Signal): number => signalNames.indexOf(signal);
