import type { RequestBudget } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { RequestBudgets } from './request-budgets.js';

// Logs a wait this long at -v=3, one longer than `extraLongMs` always, but at most every `betweenLinesMs`.
const longMs = 50;
const extraLongMs = 1_000;
const betweenLinesMs = 10_000;

/** What the log line about a wait shows of the request. */
export interface ThrottledRequest {
  readonly budget: RequestBudget;
  readonly verb: string;
  readonly url: string;
}

/**
 * Makes requests wait for their budget, and logs long waits. Source: kubernetes v1.36 client-go/rest/request.go,
 * tryThrottleWithInfo.
 */
export class RequestThrottle {
  private lastLineMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly budgets: RequestBudgets,
  ) {}

  /**
   * Resolves with the milliseconds waited, undefined without a limit; rejects with the signal's reason. `retryReason`:
   * why the request is sent again, for the log.
   */
  async wait(request: ThrottledRequest, signal: AbortSignal, retryReason?: string): Promise<number | undefined> {
    const bucket = this.budgets[request.budget];
    if (bucket === undefined) {
      signal.throwIfAborted();
      return undefined;
    }
    const waitedMs = await bucket.take(signal);
    if (waitedMs > longMs) this.report(waitedMs, request, retryReason);
    return waitedMs;
  }

  private report(waitedMs: number, { verb, url }: ThrottledRequest, retryReason: string | undefined): void {
    const reason = retryReason ?? 'client-side throttling, not priority and fairness';
    const fields = { delay: `${waitedMs / 1000}s`, reason, verb, URL: url };
    const nowMs = this.clock.monotonic();
    if (waitedMs > extraLongMs && nowMs - this.lastLineMs >= betweenLinesMs) {
      this.lastLineMs = nowMs;
      this.logger.info('Waited before sending request', fields);
    } else {
      this.logger.debug(3, 'Waited before sending request', fields);
    }
  }
}
