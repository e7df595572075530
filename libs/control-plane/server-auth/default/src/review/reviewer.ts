import { messageOf } from '@podwright/errors';
import type { KubeClient, KubeObject, RequestBudget, ResourceType } from '@podwright/kube-client-interface';
import { KubeApiError } from '@podwright/kube-client-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, jitter, type Clock, type Random } from '@podwright/time';
import { isRetriable } from './retriable.js';
import type { ReviewMetrics } from './review-metrics.js';

// Source: kubernetes v1.36 apiserver/pkg/server/options/authentication.go DefaultAuthWebhookRetryBackoff.
const firstPauseMs = 500;
const factor = 1.5;
const jitterFactor = 0.2;
const mostTries = 5;

export interface ReviewerDeps {
  readonly client: Pick<KubeClient, 'create'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: ReviewMetrics;
}

export interface ReviewerOptions<T extends KubeObject> {
  readonly resource: ResourceType<T>;
  readonly budget: RequestBudget;
  /** The caller's name in the log. */
  readonly who: 'authenticator' | 'authorizer';
}

/** Sends one kind of review to the API server, with up to five attempts. */
export class Reviewer<T extends KubeObject> {
  // Clients cause these calls, so log rarely: an unavailable server must not fill the log.
  private readonly failureLog: FailureLog;

  constructor(
    private readonly deps: ReviewerDeps,
    private readonly options: ReviewerOptions<T>,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  /**
   * Resolves with the answered review. Rejects with the last KubeApiError, or with the signal's reason during a pause.
   */
  async ask(review: T, signal: AbortSignal): Promise<T> {
    const { who } = this.options;
    try {
      const answer = await this.tries(review, signal);
      this.failureLog.over(`Webhook ${who} requests work again`);
      return answer;
    } catch (error) {
      const kind = error instanceof KubeApiError ? `${error.code} ${error.httpStatus}` : messageOf(error);
      this.failureLog.failed(kind, `Failed to make webhook ${who} request`, { error });
      throw error;
    }
  }

  private async tries(review: T, signal: AbortSignal): Promise<T> {
    const { clock, random } = this.deps;
    const pause = new GrowingPause({ firstMs: firstPauseMs, factor });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(review, signal);
      } catch (error) {
        if (attempt === mostTries || signal.aborted || !isRetriable(error)) throw error;
      }
      await clock.sleep(jitter(random, pause.next(), jitterFactor), signal);
    }
  }

  private async attempt(review: T, signal: AbortSignal): Promise<T> {
    const { client, clock, metrics } = this.deps;
    const startedAtMs = clock.monotonic();
    // The status of a successful create.
    let code = '201';
    try {
      return await client.create(this.options.resource, review, { signal, budget: this.options.budget });
    } catch (error) {
      code = error instanceof KubeApiError && error.httpStatus > 0 ? String(error.httpStatus) : '<error>';
      throw error;
    } finally {
      metrics.requests.increment({ code });
      metrics.duration.observe((clock.monotonic() - startedAtMs) / 1000, { code });
    }
  }
}
