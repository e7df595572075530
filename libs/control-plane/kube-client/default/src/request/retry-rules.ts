import type { KubeHttpRequest, KubeHttpResponse } from '@podwright/kube-client-interface';
import { retryAfterMs } from './answer-error.js';
import { isBrokenConnection } from './call-error.js';

/** Upstream: withRetry{maxRetries: 10}. */
export const mostRetries = 10;

/** The outcome of one attempt. */
export type AttemptOutcome = { readonly response: KubeHttpResponse } | { readonly error: unknown };

/** Why and when to retry a request. */
export interface Retry {
  readonly waitMs: number;
  readonly reason: string;
}

/**
 * Whether the outcome of attempt number `attempt` (from 1) calls for a retry. Source: kubernetes v1.36
 * client-go/rest/with_retry.go, IsNextRetry.
 */
export function nextRetry(
  method: KubeHttpRequest['method'],
  outcome: AttemptOutcome,
  attempt: number,
): Retry | undefined {
  if (attempt > mostRetries) return undefined;
  if ('error' in outcome) {
    // A request that changes something may have taken effect before the connection broke.
    if (method !== 'GET' || !isBrokenConnection(outcome.error)) return undefined;
    const reason = `${prefix(attempt, 1)} - retry-reason: due to retryable error, error: ${String(outcome.error)}`;
    return { waitMs: 1_000, reason };
  }
  const { status, headers } = outcome.response;
  const waitMs = status === 429 || status >= 500 ? retryAfterMs(headers) : undefined;
  if (waitMs === undefined) return undefined;
  const flowSchemaUid = JSON.stringify(headers['x-kubernetes-pf-flowschema-uid'] ?? '');
  const why = status === 429 ? `due to server-side throttling, FlowSchema UID: ${flowSchemaUid}` : String(status);
  return { waitMs, reason: `${prefix(attempt, waitMs / 1000)} - retry-reason: ${why}` };
}

function prefix(attempt: number, seconds: number): string {
  return `retries: ${attempt}, retry-after: ${seconds}s`;
}
