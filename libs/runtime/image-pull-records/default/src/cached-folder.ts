import type { RecordFolder, RecordKind, RecordListing } from './record-folder.js';
import type { StripedLocks } from './striped-locks.js';

/** The part of {@link RecordFolder} behind the cache. */
export type CachedFiles<V> = Pick<RecordFolder<V>, 'list' | 'get' | 'write' | 'remove'>;

/**
 * Caches the most recently used values of a folder. While the cache holds all values, a missing key needs no read of
 * the disk. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/mem_pullrecords.go.
 */
export class CachedFolder<V> {
  /** In order of use, the most recent last. */
  private readonly values = new Map<string, V>();
  /** True while the cache holds every value on the disk. */
  private complete = false;

  constructor(
    private readonly files: CachedFiles<V>,
    private readonly keyOf: RecordKind<V>['keyOf'],
    private readonly locks: StripedLocks,
    private readonly mostValues: number,
  ) {}

  /** Number of cached values in percent of the cache's capacity. */
  usagePercent(): number {
    return Math.trunc((this.values.size * 100) / this.mostValues);
  }

  /** Lists all values on the disk. Fills the cache when all of them fit and can be read. */
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
