import type { ExplainedCandidate, ExplainedPressure } from '@podwright/explain-interface';
import type { EvictionDecision } from '@podwright/eviction-interface';

const mostCandidates = 5;

/** Each signal with its tightest threshold, the nearest to it first. */
export function pressuresOf(plan: EvictionDecision): readonly ExplainedPressure[] {
  return plan.signals
    .map(({ signal, resource, available, capacity }): ExplainedPressure => {
      const own = plan.thresholds.filter(
        (threshold) => threshold.signal === signal && threshold.quantity !== undefined,
      );
      const tightest = own.reduce<(typeof own)[number] | undefined>(
        (most, threshold) =>
          most === undefined || (threshold.quantity ?? 0) > (most.quantity ?? 0) ? threshold : most,
        undefined,
      );
      const met = own.find((threshold) => threshold.met);
      const threshold = tightest?.quantity;
      return {
        ...{ signal, resource, available, capacity },
        ...(tightest !== undefined && { gracePeriodMs: tightest.gracePeriodMs }),
        ...(threshold !== undefined && { threshold, distance: available - threshold }),
        met: met !== undefined,
        ...(met?.metSince !== undefined && { metSinceMs: Date.parse(met.metSince) }),
      };
    })
    .sort((a, b) => Number(b.met) - Number(a.met) || share(a) - share(b));
}

/** What is left until the threshold, as a share of the capacity. */
export function share({ distance, capacity }: ExplainedPressure): number {
  return distance === undefined || capacity === 0 ? 1 : distance / capacity;
}

/** Who goes first for a signal. */
export function candidatesOf(plan: EvictionDecision, signal: string | undefined): readonly ExplainedCandidate[] {
  const ranking = plan.rankings.find((of) => of.signal === signal);
  return (ranking?.pods ?? [])
    .filter(({ exempt }) => exempt === undefined)
    .slice(0, mostCandidates)
    .map(({ namespace, name, usage, request, priority }) => ({
      ...{ namespace, name, signal: ranking?.signal ?? '', request, priority },
      ...(usage !== undefined && { usage }),
    }));
}
