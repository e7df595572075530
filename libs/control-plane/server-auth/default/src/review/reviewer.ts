import { messageOf } from '@podwright/errors';
import type { KubeClient, KubeObject, RequestBudget, ResourceType } from '@podwright/kube-client-interface';
import { KubeApiError } from '@podwright/kube-client-interface';
import { TroubleLog, type Logger } from '@podwright/logging';
import { jitter, type Clock, type Random } from '@podwright/time';
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
  /** Who asks, in the log. */
  readonly who: 'authenticator' | 'authorizer';
}

/** Asks the API server one kind of question, up to five times. */
export class Reviewer<T extends KubeObject> {
  // Callers decide how often something is asked: a server that is away must not fill the log.
  private readonly trouble: TroubleLog;

  constructor(
    private readonly deps: ReviewerDeps,
    private readonly options: ReviewerOptions<T>,
  ) {
    this.trouble = new TroubleLog(deps.logger, deps.clock);
  }

  /** The question with its answer. Rejects with the last KubeApiError, or with the reason of the signal in a pause. */
  async ask(review: T, signal: AbortSignal): Promise<T> {
    const { who } = this.options;
    try {
      const answer = await this.tries(review, signal);
      this.trouble.over(`Webhook ${who} requests work again`);
      return answer;
    } catch (error) {
      const kind = error instanceof KubeApiError ? `${error.code} ${error.httpStatus}` : messageOf(error);
      this.trouble.failed(kind, `Failed to make webhook ${who} request`, { error });
      throw error;
    }
  }

  private async tries(review: T, signal: AbortSignal): Promise<T> {
    const { clock, random } = this.deps;
    let pauseMs = firstPauseMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(review, signal);
      } catch (error) {
        if (attempt === mostTries || signal.aborted || !isRetriable(error)) throw error;
      }
      await clock.sleep(jitter(random, pauseMs, jitterFactor), signal);
      pauseMs *= factor;
    }
  }

  private async attempt(review: T, signal: AbortSignal): Promise<T> {
    const { client, clock, metrics } = this.deps;
    const startedAtMs = clock.monotonic();
    // What a server answers to a create that worked.
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
