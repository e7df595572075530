import type { RequestBudget } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
import type { KubeClientConfig } from '../kube-client-config.js';
import { TokenBucket } from './token-bucket.js';

/** The token bucket of each budget; undefined for no limit. */
export type RequestBudgets = Readonly<Record<RequestBudget, TokenBucket | undefined>>;

// As client-go's rest config, which uses this for 0.
const unsetQps = 5;
const unsetBurst = 10;

/**
 * Creates the buckets. Unlike upstream, which sends all requests through one bucket:
 * - `status` has a bucket as large as that of `default`, so that on a node with many starting pods statuses and volumes
 *   do not wait for each other.
 * - `authentication` and `authorization` have their own, so that callers of the kubelet's port cannot block the node's
 *   own requests with invented tokens.
 */
export function createRequestBudgets(clock: Clock, config: KubeClientConfig): RequestBudgets {
  const bucket = (qps: number, burst: number): TokenBucket | undefined =>
    qps < 0 ? undefined : new TokenBucket({ clock, qps: qps === 0 ? unsetQps : qps, burst: burst || unsetBurst });
  return {
    default: bucket(config.qps, config.burst),
    status: bucket(config.qps, config.burst),
    authentication: bucket(config.qps, config.burst),
    authorization: bucket(config.qps, config.burst),
    events: bucket(config.eventQps, config.eventBurst),
    heartbeat: undefined,
  };
}
