import { ExpiringCache } from '@podwright/cache';
import type { Clock } from '@podwright/time';
import type { PluginResponse } from './plugin-protocol.js';

/** How often expired entries are removed; upstream's value. */
const purgeIntervalMs = 15 * 60_000;
/** Upstream has no bound; the pods of a node name far fewer images. */
const mostEntries = 2_000;

type Auth = PluginResponse['auth'];

/** Credentials of one plugin until they expire. Source: kubernetes v1.36 pkg/credentialprovider/plugin/plugin.go. */
export class ResponseCache {
  private readonly entries: ExpiringCache<Auth>;
  private purgedAtMs: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.entries = new ExpiringCache(clock, mostEntries);
    this.purgedAtMs = clock.monotonic();
  }

  /** The entry of the first key that has one which has not expired. */
  get(keys: readonly string[]): Auth | undefined {
    const nowMs = this.clock.monotonic();
    if (nowMs > this.purgedAtMs + purgeIntervalMs) {
      this.purgedAtMs = nowMs;
      this.entries.deleteExpired();
    }
    for (const key of keys) {
      const auth = this.entries.get(key);
      if (auth !== undefined) return auth;
    }
    return undefined;
  }

  add(key: string, auth: Auth, durationMs: number): void {
    // Upstream still returns an entry in the millisecond in which it expires.
    if (durationMs > 0) this.entries.set(key, auth, durationMs + 1);
  }
}
