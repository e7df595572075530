import { abortable } from '@podwright/concurrency';
import { hasCode, messageOf } from '@podwright/errors';
import { KubeApiError } from '@podwright/kube-client-interface';
import type {
  KubeHttpRequest,
  KubeHttpResponse,
  KubeTransport,
  RequestBudget,
  ResourceType,
} from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { answerError, retryAfter } from './answer-error.js';
import { readBody } from './read-body.js';
import type { RequestBudgets } from './request-budgets.js';
import type { RequestMetrics } from './request-metrics.js';

/** One request before its headers. */
export interface OutgoingRequest {
  readonly method: KubeHttpRequest['method'];
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` when absent. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly budget: RequestBudget;
  /** For messages. */
  readonly resource?: ResourceType;
  readonly name?: string;
}

export interface RequestSenderDeps {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly budgets: RequestBudgets;
  readonly metrics: RequestMetrics;
  readonly userAgent: string;
}

// As upstream: withRetry{maxRetries: 10}.
const mostRetries = 10;
const longThrottleMs = 50;
const extraLongThrottleMs = 1_000;

/**
 * Sends requests through their budgets, and again when the server asks for that with `Retry-After`. Source: kubernetes
 * v1.36 client-go/rest/request.go and with_retry.go.
 */
export class RequestSender {
  private readonly host: string;

  constructor(private readonly deps: RequestSenderDeps) {
    this.host = hostOf(deps.transport.server);
  }

  /** The whole answer as text. Rejects with a KubeApiError for statuses outside 2xx too. */
  async send(request: OutgoingRequest, signal: AbortSignal, timeoutMs: number): Promise<string> {
    const startedAtMs = this.deps.clock.monotonic();
    try {
      await this.throttle(request, signal);
      const deadline = this.deps.clock.deadline(timeoutMs, signal);
      try {
        const response = await this.attempts(request, deadline.signal, timeoutMs);
        const text = await this.body(request, response, deadline.signal);
        this.deps.metrics.responseSize.observe(Buffer.byteLength(text), this.labels(request));
        if (response.status < 200 || response.status > 206)
          throw answerError(response.status, response.headers, text, request);
        return text;
      } finally {
        deadline.dispose();
      }
    } finally {
      const seconds = (this.deps.clock.monotonic() - startedAtMs) / 1000;
      this.deps.metrics.duration.observe(seconds, this.labels(request));
    }
  }

  /** The answer with its body still to be read; used for watches. Statuses outside 2xx reject. */
  async open(request: OutgoingRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    await this.throttle(request, signal);
    const response = await this.attempts(request, signal, Number.POSITIVE_INFINITY);
    if (response.status === 200) return response;
    const text = await this.body(request, response, signal);
    throw answerError(response.status, response.headers, text, request);
  }

  private async attempts(request: OutgoingRequest, signal: AbortSignal, timeoutMs: number): Promise<KubeHttpResponse> {
    const until = this.deps.clock.monotonic() + timeoutMs;
    for (let retries = 0; ; retries++) {
      const response = await this.attempt(request, signal);
      const waitMs = retryWaitMs(response);
      if (waitMs === undefined || retries >= mostRetries) return response;
      // A wait that the deadline would cut short helps nobody: the caller learns what the server said.
      if (this.deps.clock.monotonic() + waitMs >= until) return response;
      this.deps.metrics.retries.increment({ code: String(response.status), ...this.labels(request) });
      await this.body(request, response, signal);
      this.deps.logger.debug(4, 'Got a Retry-After response', {
        delay: waitMs,
        attempt: retries + 1,
        url: this.url(request),
      });
      await this.asCallError(request, this.deps.clock.sleep(waitMs, signal));
      await this.throttle(request, signal);
    }
  }

  private async attempt(request: OutgoingRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const { method, path, body } = request;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      accept: request.accept ?? 'application/json',
      'user-agent': this.deps.userAgent,
      ...(text !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
    };
    const { metrics, transport } = this.deps;
    metrics.requestSize.observe(text === undefined ? 0 : Buffer.byteLength(text), this.labels(request));
    try {
      const sent = transport.send({ method, path, headers, ...(text !== undefined && { body: text }) }, signal);
      const response = await abortable(sent, signal);
      metrics.requests.increment({ code: String(response.status), method, host: this.host });
      return response;
    } catch (error) {
      metrics.requests.increment({ code: '<error>', method, host: this.host });
      throw this.callError(request, error);
    }
  }

  private body(request: OutgoingRequest, response: KubeHttpResponse, signal: AbortSignal): Promise<string> {
    return this.asCallError(request, abortable(readBody(response.body), signal));
  }

  private async throttle(request: OutgoingRequest, signal: AbortSignal): Promise<void> {
    const bucket = this.deps.budgets[request.budget];
    if (bucket === undefined) return;
    const waitedMs = await this.asCallError(request, bucket.take(signal));
    this.deps.metrics.rateLimiterDuration.observe(waitedMs / 1000, this.labels(request));
    const line = 'Waited before sending request';
    const fields = {
      delay: waitedMs,
      reason: 'client-side throttling, not priority and fairness',
      verb: request.method,
      URL: this.url(request),
    };
    if (waitedMs > extraLongThrottleMs) this.deps.logger.info(line, fields);
    else if (waitedMs > longThrottleMs) this.deps.logger.debug(3, line, fields);
  }

  private async asCallError<T>(request: OutgoingRequest, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.callError(request, error);
    }
  }

  // As Go's url.Error: `Get "https://...": what went wrong`.
  private callError(request: OutgoingRequest, error: unknown): KubeApiError {
    if (error instanceof KubeApiError) return error;
    const { method } = request;
    const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
    const code = hasCode(error, 'deadline-exceeded')
      ? 'deadline-exceeded'
      : hasCode(error, 'cancelled') || (error as Error | undefined)?.name === 'AbortError'
        ? 'cancelled'
        : 'unavailable';
    return new KubeApiError(`${verb} "${this.url(request)}": ${messageOf(error)}`, {
      code,
      httpStatus: 0,
      cause: error,
    });
  }

  private url({ path }: OutgoingRequest): string {
    return `${this.deps.transport.server}${path}`;
  }

  private labels({ method }: OutgoingRequest): { readonly verb: string; readonly host: string } {
    return { verb: method, host: this.host };
  }
}

function retryWaitMs({ status, headers }: KubeHttpResponse): number | undefined {
  return status === 429 || status >= 500 ? retryAfter(headers) : undefined;
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
