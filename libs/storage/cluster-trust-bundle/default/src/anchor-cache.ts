import type { Clock } from '@podwright/time';

/** How long an answer is kept, however often it is asked for; upstream's value. */
const maxAgeMs = 5 * 60_000;

/** One question about anchors: by name, or by signer and selector. */
export interface AnchorQuery {
  readonly name?: string;
  readonly signerName?: string;
  readonly selector?: string;
}

interface Entry {
  readonly query: AnchorQuery;
  readonly anchors: string;
  readonly expiresAtMs: number;
}

/** Answers by question, the least recently used one makes room. They keep the order of anchors stable for a while. */
export class AnchorCache {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries: number,
  ) {}

  get(query: AnchorQuery): string | undefined {
    const key = keyOf(query);
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    if (this.clock.monotonic() >= entry.expiresAtMs) return undefined;
    this.entries.set(key, entry); // to the end: used last
    return entry.anchors;
  }

  add(query: AnchorQuery, anchors: string): void {
    const key = keyOf(query);
    this.entries.delete(key);
    this.entries.set(key, { query, anchors, expiresAtMs: this.clock.monotonic() + maxAgeMs });
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.maxEntries && oldest !== undefined) this.entries.delete(oldest);
  }

  /** Forgets what a bundle of this name and signer may have gone into. */
  drop(name: string, signerName: string): void {
    for (const [key, { query }] of this.entries) {
      const isOfSigner = signerName !== '' && query.signerName === signerName;
      if (query.name === name || isOfSigner) this.entries.delete(key);
    }
  }
}

function keyOf({ name, signerName, selector }: AnchorQuery): string {
  return JSON.stringify([name, signerName, selector]);
}
