import { LruMap } from '@podwright/cache';

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface SpamFilterOptions {
  readonly burst: number;
  /** Time after which one more event may pass. */
  readonly refillMs: number;
  readonly capacity: number;
}

/**
 * A token bucket per source and object, so that objects which are always unhealthy send few events. Source: kubernetes
 * v1.36 staging/src/k8s.io/client-go/tools/record/events_cache.go EventSourceObjectSpamFilter.
 */
export class SpamFilter {
  private readonly buckets: LruMap<Bucket>;

  constructor(private readonly options: SpamFilterOptions) {
    this.buckets = new LruMap(options.capacity);
  }

  /** False: drop the event. `nowMs` must not decrease. */
  accept(key: string, nowMs: number): boolean {
    const { burst, refillMs } = this.options;
    const bucket = this.buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    bucket.tokens = Math.min(burst, bucket.tokens + (nowMs - bucket.atMs) / refillMs);
    bucket.atMs = nowMs;
    this.buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
