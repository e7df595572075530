import type { RecordFolder, RecordKind, RecordListing } from './record-folder.js';
import type { StripedLocks } from './striped-locks.js';

/** What of {@link RecordFolder} the cache stands before. */
export type CachedFiles<V> = Pick<RecordFolder<V>, 'list' | 'get' | 'write' | 'remove'>;

/**
 * Keeps the values used last in memory. While all of them fit and could be read, memory alone answers what is not there.
 * Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/mem_pullrecords.go.
 */
export class CachedFolder<V> {
  /** In the order of use, the one used last at the end. */
  private readonly values = new Map<string, V>();
  /** True while what is not in memory is nowhere. */
  private complete = false;

  constructor(
    private readonly files: CachedFiles<V>,
    private readonly keyOf: RecordKind<V>['keyOf'],
    private readonly locks: StripedLocks,
    private readonly mostValues: number,
  ) {}

  /** Values in memory, in percent of those that fit. */
  usagePercent(): number {
    return Math.trunc((this.values.size * 100) / this.mostValues);
  }

  /** All of the disk; memory becomes complete when it can. */
  list(): Promise<RecordListing<V>> {
    return this.complete ? this.files.list() : this.locks.runAlone(() => this.listAndKeep());
  }

  /** As {@link RecordFolder.get}. */
  async get(key: string): Promise<V | undefined> {
    return this.used(key) ?? this.locks.run(key, async () => this.used(key) ?? (await this.load(key)));
  }

  write(value: V): Promise<void> {
    const key = this.keyOf(value);
    return this.locks.run(key, async () => {
      await this.files.write(value);
      this.keep(key, value);
    });
  }

  remove(key: string): Promise<void> {
    return this.locks.run(key, async () => {
      await this.files.remove(key);
      this.values.delete(key);
    });
  }

  private async load(key: string): Promise<V | undefined> {
    if (this.complete) return undefined;
    const value = await this.files.get(key);
    if (value !== undefined) this.keep(key, value);
    return value;
  }

  private async listAndKeep(): Promise<RecordListing<V>> {
    const listing = await this.files.list();
    const complete = listing.faults.length === 0 && listing.values.length < this.mostValues;
    if (complete || this.values.size === 0) {
      this.values.clear();
      for (const value of listing.values.slice(0, this.mostValues)) this.values.set(this.keyOf(value), value);
      this.complete = complete;
    }
    return listing;
  }

  private used(key: string): V | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.keep(key, value);
    return value;
  }

  private keep(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size <= this.mostValues) return;
    const [oldest] = this.values.keys();
    if (oldest !== undefined) this.values.delete(oldest);
    this.complete = false;
  }
}
