import type { Clock } from '@podwright/time';
import type { PluginResponse } from './plugin-protocol.js';

/** Expired entries that nobody asks for are thrown away this often; upstream's value. */
const purgeIntervalMs = 15 * 60_000;
/** Upstream has no bound; a node's pods name fewer images than that. */
const mostEntries = 2_000;

type Auth = PluginResponse['auth'];

/** Credentials of one plugin until they expire. Source: kubernetes v1.36 pkg/credentialprovider/plugin/plugin.go. */
export class ResponseCache {
  private readonly entries = new Map<string, { readonly auth: Auth; readonly expiresAtMs: number }>();
  private purgedAtMs: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.purgedAtMs = clock.monotonic();
  }

  get size(): number {
    return this.entries.size;
  }

  /** Of the first of the keys that is there and has not expired. */
  get(keys: readonly string[]): Auth | undefined {
    const nowMs = this.clock.monotonic();
    if (nowMs > this.purgedAtMs + purgeIntervalMs) this.purge(nowMs);
    for (const key of keys) {
      const entry = this.entries.get(key);
      if (entry === undefined) continue;
      if (nowMs <= entry.expiresAtMs) return entry.auth;
      this.entries.delete(key);
    }
    return undefined;
  }

  add(key: string, auth: Auth, durationMs: number): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size >= mostEntries) this.entries.delete(oldest);
    this.entries.set(key, { auth, expiresAtMs: this.clock.monotonic() + durationMs });
  }

  private purge(nowMs: number): void {
    this.purgedAtMs = nowMs;
    for (const [key, { expiresAtMs }] of this.entries) if (nowMs > expiresAtMs) this.entries.delete(key);
  }
}
