import { abortable, withDeadline } from '@podwright/concurrency';
import type { Clock } from '@podwright/time';

// Source: kubernetes v1.36 apiserver/pkg/authentication/token/cache/cached_token_authenticator.go sharedLookupTimeout.
const lookupTimeoutMs = 30_000;

/**
 * Lookups that several callers may share, one per key at a time. A lookup belongs to no caller: it continues when one
 * leaves, and ends with the timeout or the stop.
 */
export class SharedLookups<V> {
  private readonly running = new Map<string, Promise<V>>();

  constructor(
    private readonly clock: Clock,
    private readonly stopping: AbortSignal,
  ) {}

  /** Rejects as the lookup does, or with the reason of the caller's signal. */
  run(key: string, lookup: (signal: AbortSignal) => Promise<V>, signal: AbortSignal): Promise<V> {
    let running = this.running.get(key);
    if (running === undefined) {
      running = withDeadline(this.clock, lookupTimeoutMs, lookup, this.stopping).finally(() => {
        this.running.delete(key);
      });
      this.running.set(key, running);
    }
    return abortable(running, signal);
  }

  /** Resolves when no lookup is in progress. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.running.values());
  }
}
