import { hasCode, type KubeletError } from '@podwright/errors';
import { limitRepeats, type Logger } from '@podwright/logging';
import { exponentialBuckets, type Counter, type Histogram, type MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';

/** 5 ms to 745 s, each 2.5 times the one before. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
const durationBuckets = exponentialBuckets(0.005, 2.5, 14);

export interface CallObserverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Counts, times and logs runtime calls under upstream's metric names. */
export class CallObserver {
  private readonly total: Counter;
  private readonly errors: Counter;
  private readonly duration: Histogram;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly labels = new Map<string, { readonly operation_type: string }>();

  constructor({ clock, logger, metrics }: CallObserverDeps) {
    this.clock = clock;
    // Callers retry every second: the same failure is logged once a minute.
    this.logger = limitRepeats(logger, clock);
    const labels = ['operation_type'];
    this.total = metrics.counter({
      name: 'kubelet_runtime_operations_total',
      help: 'Cumulative number of runtime operations by operation type.',
      labels,
    });
    this.errors = metrics.counter({
      name: 'kubelet_runtime_operations_errors_total',
      help: 'Cumulative number of runtime operation errors by operation type.',
      labels,
    });
    this.duration = metrics.histogram({
      name: 'kubelet_runtime_operations_duration_seconds',
      help: 'Duration in seconds of runtime operations. Broken down by operation type.',
      labels,
      buckets: durationBuckets,
    });
  }

  /** The start time in monotonic milliseconds; pass it to `ended`. */
  begun(): number {
    return this.clock.monotonic();
  }

  ended(operation: string, begunAt: number): void {
    const labels = this.labelsOf(operation);
    this.total.increment(labels);
    this.duration.observe((this.clock.monotonic() - begunAt) / 1000, labels);
  }

  countError(operation: string): void {
    this.errors.increment(this.labelsOf(operation));
  }

  /** `subject` is the id of the container, pod or image that the call was about; empty when there is none. */
  failed(operation: string, subject: string, error: KubeletError): void {
    this.countError(operation);
    // The caller cancelled the call, or falls back because this runtime does not support it. It decides what to log.
    if (hasCode(error, 'cancelled') || hasCode(error, 'unimplemented')) return;
    const message = `${operation} from the runtime failed: ${error.message}`;
    const fields = { ...(subject && { key: subject }), error };
    // Objects vanish between a list call and an inspection; a caller that needs the object logs that itself.
    if (hasCode(error, 'not-found')) this.logger.debug(2, message, fields);
    else this.logger.error(message, fields);
  }

  private labelsOf(operation: string): { readonly operation_type: string } {
    let labels = this.labels.get(operation);
    if (labels === undefined) this.labels.set(operation, (labels = { operation_type: operation }));
    return labels;
  }
}
