import type { RequestBudget } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
import type { KubeClientConfig } from '../kube-client-config.js';
import { TokenBucket } from './token-bucket.js';

/** The bucket of each budget; undefined is no limit. */
export type RequestBudgets = Readonly<Record<RequestBudget, TokenBucket | undefined>>;

// What client-go's rest config takes for 0.
const unsetQps = 5;
const unsetBurst = 10;

/**
 * `status` has a bucket of its own, as large as that of `default`: upstream sends statuses through the same bucket as
 * everything else, so that a node with many pods that start makes its volumes wait behind their statuses and the other
 * way round. For the same reason the questions about callers of the node have theirs, which upstream sends through that
 * bucket too: whoever reaches the port could hold up the node's own work with tokens of his invention.
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
