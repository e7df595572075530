import { abortable } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import { KubeApiError } from '@podwright/kube-client-interface';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { Answer } from '../content/answer.js';
import type { ContentFormat } from '../content/content-format.js';
import type { RequestContent } from '../content/request-content.js';
import { answerError } from './answer-error.js';
import { callError, isUnreachable } from './call-error.js';
import { encodeRequest, type OutgoingRequest } from './outgoing-request.js';
import { readBody } from './read-body.js';
import type { RequestMetrics } from './request-metrics.js';
import type { RequestThrottle } from './request-throttle.js';
import { nextRetry, type AttemptOutcome } from './retry-rules.js';
import type { ServerReachability } from './server-reachability.js';
import type { ServerWarnings } from './server-warnings.js';

export interface RequestSenderDeps {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly throttle: RequestThrottle;
  readonly metrics: RequestMetrics;
  readonly reachability: ServerReachability;
  readonly warnings: ServerWarnings;
  readonly content: RequestContent;
  readonly userAgent: string;
}

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  readonly body: KubeHttpResponse['body'];
  readonly format: ContentFormat;
}

/**
 * Sends requests through their budgets and retries them as upstream's client does. All failures are KubeApiErrors.
 * Source: kubernetes v1.36 client-go/rest/request.go.
 */
export class RequestSender {
  /** See {@link ApiServerWatch}. */
  lastUrgentCallMs: number | undefined;
  private known = { server: '', host: '' };

  constructor(private readonly deps: RequestSenderDeps) {}

  /** The transport knows its server only after it has read the kubeconfig. */
  private get host(): string {
    const { server } = this.deps.transport;
    if (this.known.server !== server)
      this.known = { server, host: URL.canParse(server) ? new URL(server).host : server };
    return this.known.host;
  }

  /** Resolves with a 2xx answer; the time limit starts when the budget has admitted the request. */
  async send(request: OutgoingRequest, signal: AbortSignal, timeoutMs: number): Promise<Answer> {
    const { clock, content, metrics } = this.deps;
    const labels = this.labels(request);
    const startedAtMs = clock.monotonic();
    try {
      await this.throttle(request, signal);
      const deadline = clock.deadline(timeoutMs, signal);
      try {
        const response = await this.attempts(request, deadline.signal, timeoutMs);
        const body = await this.read(request, response, deadline.signal);
        metrics.responseSize.observe(body.byteLength, labels);
        const answer = { body, format: content.formatOf(response.headers) };
        if (response.status >= 200 && response.status <= 206) return answer;
        throw answerError(response, answer, request);
      } finally {
        deadline.dispose();
      }
    } finally {
      metrics.duration.observe((clock.monotonic() - startedAtMs) / 1000, labels);
    }
  }

  /** Resolves with a 200 answer whose body is still to be read. As upstream's watches, uses no budget. */
  async open(request: OutgoingRequest, signal: AbortSignal): Promise<OpenAnswer> {
    const response = await this.attempts(request, signal, Number.POSITIVE_INFINITY);
    const format = this.deps.content.formatOf(response.headers);
    if (response.status === 200) return { body: response.body, format };
    throw answerError(response, { body: await this.read(request, response, signal), format }, request);
  }

  private async attempts(request: OutgoingRequest, signal: AbortSignal, timeoutMs: number): Promise<KubeHttpResponse> {
    const { clock, logger, metrics } = this.deps;
    const until = clock.monotonic() + timeoutMs;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(request, signal, timeoutMs);
      const code = 'error' in outcome ? '<error>' : String(outcome.response.status);
      if (attempt > 1) metrics.retries.increment({ code, ...this.labels(request) });
      const retry = nextRetry(request.method, outcome, attempt);
      // Do not wait beyond the time limit: return the server's error at once.
      if (retry === undefined || clock.monotonic() + retry.waitMs >= until) {
        if ('error' in outcome) throw outcome.error;
        return outcome.response;
      }
      if ('response' in outcome) await this.read(request, outcome.response, signal);
      await this.named(request, clock.sleep(retry.waitMs, signal));
      if (timeoutMs !== Number.POSITIVE_INFINITY) await this.throttle(request, signal, retry.reason);
      logger.debug(4, 'Got a Retry-After response', { delay: retry.waitMs, attempt, url: this.url(request) });
    }
  }

  private async attempt(request: OutgoingRequest, signal: AbortSignal, timeoutMs: number): Promise<AttemptOutcome> {
    const { metrics, transport, reachability, warnings, content } = this.deps;
    const encoded = this.encode(request);
    // A request without a body has the size 0; watches are not measured, as upstream.
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      metrics.requestSize.observe(Buffer.byteLength(encoded.body ?? ''), this.labels(request));
    const { method } = request;
    try {
      const response = await abortable(transport.send(encoded, signal), signal);
      metrics.requests.increment({ code: String(response.status), method, host: this.host });
      reachability.answered();
      if (response.status === 415) content.refused(encoded.headers['content-type']);
      warnings.read(response.headers);
      return { response };
    } catch (cause) {
      metrics.requests.increment({ code: '<error>', method, host: this.host });
      const error = callError(method, this.url(request), cause, signal.aborted);
      if (isUnreachable(error)) reachability.unreachable(error);
      else if (error.code === 'deadline-exceeded') reachability.timedOut(error);
      return { error };
    }
  }

  private encode(request: OutgoingRequest): KubeHttpRequest {
    const { content, userAgent } = this.deps;
    try {
      return encodeRequest(request, content, userAgent);
    } catch (cause) {
      const message = `unable to encode the request: ${messageOf(cause)}`;
      throw new KubeApiError(message, { code: 'invalid-argument', httpStatus: 0, cause });
    }
  }

  private async read(request: OutgoingRequest, { body }: KubeHttpResponse, signal: AbortSignal): Promise<Buffer> {
    try {
      return await abortable(readBody(body), signal);
    } catch (cause) {
      const error = callError(request.method, this.url(request), cause, signal.aborted);
      if (error === cause || error.code !== 'unavailable') throw error;
      const message = `unexpected error when reading response body. Please retry. Original error: ${messageOf(cause)}`;
      throw new KubeApiError(message, { code: 'unavailable', httpStatus: 0, cause });
    }
  }

  private async throttle(request: OutgoingRequest, signal: AbortSignal, retryReason?: string): Promise<void> {
    const throttled = { budget: request.budget, verb: request.method, url: this.url(request) };
    const waitedMs = await this.named(request, this.deps.throttle.wait(throttled, signal, retryReason));
    if (request.budget === 'default' || request.budget === 'status')
      this.lastUrgentCallMs = this.deps.clock.monotonic();
    if (waitedMs !== undefined) this.deps.metrics.rateLimiterDuration.observe(waitedMs / 1000, this.labels(request));
  }

  /** Converts the error of an aborted wait to that of a failed call. */
  private async named<T>(request: OutgoingRequest, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw callError(request.method, this.url(request), error, true);
    }
  }

  private url({ path }: OutgoingRequest): string {
    return `${this.deps.transport.server}${path}`;
  }

  private labels({ method }: OutgoingRequest): { readonly verb: string; readonly host: string } {
    return { verb: method, host: this.host };
  }
}
