import { Mutex } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import { objectKey } from '@podwright/kube-types';
import type { LocalObject, LocalObjectChange, LocalObjectKind, LocalObjectOf } from '../local-object.js';
import type { LocalObjectList, LocalObjects } from '../local-objects.js';
import type { LocalCommit, LocalTransaction } from '../local-transaction.js';
import { planTransaction } from '../plan-transaction.js';

/** What a {@link VolatileLocalObjects} keeps: give it to the next one to simulate a restart. */
export interface VolatileDisk {
  resourceVersion: string;
  /** How many UIDs were given. */
  uids: number;
  readonly objects: Map<string, LocalObject>;
}

/**
 * {@link LocalObjects} in memory, for specs of those who use them. `disk` is what survives a restart. It keeps all of
 * its history, and gives UIDs that count from 1.
 */
export class VolatileLocalObjects implements LocalObjects {
  /** RFC 3339; the time of creation of new objects. */
  now = '2026-01-02T03:04:05Z';
  /** The next commits reject with this. */
  failure: Error | undefined;
  private readonly commits = new Mutex();
  private readonly listeners = new Set<(change: LocalObjectChange) => void>();
  private readonly history: LocalObjectChange[] = [];
  private readonly firstVersion: string;
  private running = false;

  constructor(readonly disk: VolatileDisk = { resourceVersion: '1', uids: 0, objects: new Map() }) {
    this.firstVersion = disk.resourceVersion;
  }

  async start(): Promise<void> {
    this.running = true;
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.commits.run(() => undefined);
  }

  get<K extends LocalObjectKind>(kind: K, namespace: string, name: string): LocalObjectOf<K> | undefined {
    return this.disk.objects.get(`${kind}/${objectKey(namespace, name)}`) as LocalObjectOf<K> | undefined;
  }

  list<K extends LocalObjectKind>(kind: K): LocalObjectList<K> {
    const items = [...this.disk.objects.values()].filter((object) => object.kind === kind) as LocalObjectOf<K>[];
    const order = ({ metadata }: LocalObject): string =>
      `${metadata?.creationTimestamp ?? ''} ${metadata?.namespace ?? ''} ${metadata?.name ?? ''}`;
    return {
      items: items.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
      resourceVersion: this.disk.resourceVersion,
    };
  }

  originOf(): undefined {
    return undefined;
  }

  async commit(transaction: LocalTransaction | (() => LocalTransaction)): Promise<LocalCommit> {
    if (!this.running) throw new KubeletError('the store of local objects is not running', { code: 'unavailable' });
    return this.commits.run(() => this.apply(typeof transaction === 'function' ? transaction() : transaction));
  }

  watch(listener: (change: LocalObjectChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  since<K extends LocalObjectKind>(kind: K, resourceVersion: string): readonly LocalObjectChange<K>[] | undefined {
    const version = Number(resourceVersion);
    if (!(version >= Number(this.firstVersion) && version <= Number(this.disk.resourceVersion))) return undefined;
    const changes = this.history.filter((change) => change.kind === kind && Number(change.resourceVersion) > version);
    return changes as LocalObjectChange[] as LocalObjectChange<K>[];
  }

  private apply(transaction: LocalTransaction): LocalCommit {
    if (this.failure !== undefined) throw this.failure;
    const commit = planTransaction(transaction, {
      get: (kind, namespace, name) => this.get(kind, namespace, name),
      resourceVersion: this.disk.resourceVersion,
      now: this.now,
      newUid: () => `uid-${(this.disk.uids += 1)}`,
    });
    this.disk.resourceVersion = commit.resourceVersion;
    for (const { type, kind, object } of commit.changes) {
      const key = `${kind}/${objectKey(object.metadata?.namespace ?? '', object.metadata?.name ?? '')}`;
      if (type === 'DELETED') this.disk.objects.delete(key);
      else this.disk.objects.set(key, object);
    }
    this.history.push(...commit.changes);
    for (const change of commit.changes) for (const listener of this.listeners) listener(change);
    return commit;
  }
}
