import type { EvictionDecision, RankedPod } from '@podwright/eviction-interface';
import type { Journal } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';

// Limits the length of the log line; the record has the whole ranking.
const loggedPods = 50;

/** Keeps the last decisions in memory, logs each as one line and reports it. */
export class DecisionLog {
  private readonly kept: EvictionDecision[] = [];

  constructor(
    private readonly logger: Logger,
    private readonly capacity: number,
    private readonly journal?: Journal,
  ) {}

  add(decision: EvictionDecision): void {
    const [last] = this.kept;
    // Every pass repeats a decision that evicts nothing while the shortage lasts; do not let repeats push out others.
    if (last !== undefined && isFruitless(last) && isFruitless(decision) && last.reclaimFor === decision.reclaimFor) {
      this.kept.shift();
    } else {
      this.journal?.report({ kind: 'eviction', ...decision });
    }
    this.kept.unshift(decision);
    this.kept.length = Math.min(this.kept.length, this.capacity);
    this.logger.info('Eviction manager: decision', fields(decision));
  }

  /** Adds the outcome of a decision to its record. Reports it only when it is not as planned. */
  amend(decision: EvictionDecision, outcome: Pick<EvictionDecision, 'evicted'>): EvictionDecision {
    const amended = { ...decision, ...outcome };
    const index = this.kept.indexOf(decision);
    if (index >= 0) this.kept[index] = amended;
    const isAsPlanned = outcome.evicted.every(({ error }) => error === undefined);
    if (!isAsPlanned || outcome.evicted.length < decision.evicted.length)
      this.journal?.report({ kind: 'eviction', ...amended });
    return amended;
  }

  /** Newest first. */
  all(): readonly EvictionDecision[] {
    return [...this.kept];
  }
}

const isFruitless = ({ evicted }: EvictionDecision): boolean => evicted.length === 0;

function fields(decision: EvictionDecision): Readonly<Record<string, unknown>> {
  const { reclaimFor, signals, thresholds, conditions, reclaimed, rankings, evicted } = decision;
  return {
    ...(reclaimFor !== undefined && { reclaimFor }),
    conditions,
    signals: signals.map(({ signal, available, capacity }) => `${signal}=${available}/${capacity}`),
    thresholdsMet: thresholds
      .filter(({ met }) => met)
      .map(({ signal, quantity, gracePeriodMs, metSince }) => ({ signal, quantity, gracePeriodMs, metSince })),
    reclaimed,
    rankings: rankings.map(({ signal, pods }) => ({
      signal,
      pods: pods.length,
      first: pods.slice(0, loggedPods).map(brief),
    })),
    // No field called `message` beside `name`: the logger would treat the object as an error.
    evicted: evicted.map(({ namespace, name, signal, message, error }) => ({
      pod: `${namespace}/${name}`,
      signal,
      why: message,
      ...(error !== undefined && { error }),
    })),
  };
}

function brief({ namespace, name, usage, request, priority, exempt }: RankedPod): string {
  const numbers = `usage=${usage ?? 'unknown'} request=${request} priority=${priority}`;
  return `${namespace}/${name} ${numbers}${exempt === undefined ? '' : ` ${exempt}`}`;
}
