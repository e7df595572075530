import type { Lifecycle } from '@podwright/assembly-interface';
import type { ApiObject } from '@podwright/api-machinery';
import { podUid, type Pod } from '@podwright/kube-types';
import type { LocalObjectChange, LocalObjects } from '@podwright/local-objects-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { ChangeSource } from '../watch/watch-objects.js';
import type { ObjectChange } from '../watch/visibility.js';
import type { ShownPods } from './shown-pods.js';

export interface PodChangesParts {
  readonly objects: Pick<LocalObjects, 'get' | 'list' | 'watch' | 'since'>;
  readonly statuses: Pick<StatusManager, 'watch'>;
  readonly shown: ShownPods;
}

/** Pods of other sources that have disappeared, of which a resumed watch is told. */
const mostRemoved = 200;

/**
 * The changes of pods as clients see them: of the store, of the statuses, and of pods of other sources. Only the store's
 * changes have versions. A change of a status is told again to whoever resumes a watch from the version at its time: that
 * is sometimes once too often, and never too rarely.
 */
export class PodChanges implements Lifecycle, ChangeSource {
  private readonly listeners = new Set<(event: ObjectChange) => void>();
  /** By UID: the store's version at the last change of the status. */
  private readonly changedAt = new Map<string, number>();
  /** Pods of other sources as they were last told. */
  private others = new Map<string, Pod>();
  private removed: { readonly version: number; readonly pod: Pod }[] = [];
  /** Watches from before this version may lack a removal. */
  private completeSince = 0;
  private version = 0;
  private readonly subscriptions: (() => void)[] = [];

  constructor(private readonly parts: PodChangesParts) {}

  async start(): Promise<void> {
    const { objects, statuses } = this.parts;
    this.version = Number(objects.list('Pod').resourceVersion);
    this.subscriptions.push(
      objects.watch((change) => this.noteChange(change)),
      statuses.watch((uid, _status, { pod }) => this.noteStatus(uid, pod)),
    );
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.subscriptions.splice(0)) unsubscribe();
    this.listeners.clear();
  }

  current(): readonly ApiObject[] {
    return this.parts.shown.list().map(asObject);
  }

  watch(listener: (event: ObjectChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  since(resourceVersion: string): readonly ObjectChange[] | undefined {
    const from = Number(resourceVersion);
    const changes = this.parts.objects.since('Pod', resourceVersion);
    if (changes === undefined || from < this.completeSince) return undefined;
    const isNew = (pod: Pod): boolean => (this.changedAt.get(podUid(pod)) ?? -1) >= from;
    const told = new Set(changes.map(({ object }) => podUid(object)));
    return [
      ...changes.map((change) => this.shown(change)),
      ...this.removed
        .filter(({ version }) => version >= from)
        .map(({ pod }): ObjectChange => ({ type: 'DELETED', object: asObject(pod) })),
      ...this.parts.shown
        .list()
        .filter((pod) => isNew(pod) && !told.has(podUid(pod)))
        .map((pod): ObjectChange => ({ type: 'MODIFIED', object: asObject(pod) })),
    ];
  }

  private noteChange(change: LocalObjectChange): void {
    this.version = Number(change.resourceVersion);
    if (change.kind !== 'Pod') return;
    if (change.type === 'DELETED') this.changedAt.delete(podUid(change.object));
    this.tell(this.shown(change));
  }

  private shown({ type, object, previous }: LocalObjectChange<'Pod'>): ObjectChange {
    const before = previous && asObject(this.parts.shown.show(previous));
    return { type, object: asObject(this.parts.shown.show(object)), previous: before };
  }

  private noteStatus(uid: string, { metadata: { namespace = '', name = '' } }: Pod): void {
    const stored = this.parts.objects.get('Pod', namespace, name);
    this.noteOthers(uid);
    if (stored === undefined || podUid(stored) !== uid) return;
    this.changedAt.set(uid, this.version);
    this.tell({ type: 'MODIFIED', object: asObject(this.parts.shown.show(stored)) });
  }

  // Nobody tells when a pod of another source goes, but its last status does.
  private noteOthers(changed: string): void {
    const now = new Map(this.parts.shown.others().map((pod) => [podUid(pod), pod]));
    const before = this.others;
    this.others = now;
    for (const [uid, pod] of before) {
      if (now.has(uid)) continue;
      this.changedAt.delete(uid);
      this.removed.push({ version: this.version, pod });
      this.tell({ type: 'DELETED', object: asObject(pod) });
    }
    while (this.removed.length > mostRemoved) this.completeSince = (this.removed.shift()?.version ?? 0) + 1;
    for (const [uid, pod] of now) {
      if (before.has(uid) && uid !== changed) continue;
      this.changedAt.set(uid, this.version);
      this.tell({ type: before.has(uid) ? 'MODIFIED' : 'ADDED', object: asObject(pod) });
    }
  }

  private tell(event: ObjectChange): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

const asObject = (pod: Pod): ApiObject => pod as unknown as ApiObject;
