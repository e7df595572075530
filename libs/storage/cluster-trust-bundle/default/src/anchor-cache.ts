import { ExpiringCache } from '@podwright/cache';
import type { Clock } from '@podwright/time';

/** How long an answer is cached, even when it is used; upstream's value. */
const maxAgeMs = 5 * 60_000;

/** A query for trust anchors: by name, or by signer and selector. */
export interface AnchorQuery {
  readonly name?: string;
  readonly signerName?: string;
  readonly selector?: string;
}

/** Caches answers by query; evicts the least recently used. Keeps the order of anchors stable for a while. */
export class AnchorCache {
  private readonly answers: ExpiringCache<{ readonly query: AnchorQuery; readonly anchors: string }>;

  constructor(clock: Clock, maxEntries: number) {
    this.answers = new ExpiringCache(clock, maxEntries);
  }

  get(query: AnchorQuery): string | undefined {
    return this.answers.get(keyOf(query))?.anchors;
  }

  add(query: AnchorQuery, anchors: string): void {
    this.answers.set(keyOf(query), { query, anchors }, maxAgeMs);
  }

  /** Drops the answers that may include a bundle of this name and signer. */
  drop(name: string, signerName: string): void {
    this.answers.deleteWhere(
      ({ query }) => query.name === name || (signerName !== '' && query.signerName === signerName),
    );
  }
}

function keyOf({ name, signerName, selector }: AnchorQuery): string {
  return JSON.stringify([name, signerName, selector]);
}
