import { needs, pick, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';
import { LOCAL_OBJECTS, type LocalObjectChange, type LocalObjectOf } from '@podwright/local-objects-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import type { ReferencedObjectManager } from '@podwright/referenced-objects-interface';

export const localReferencedObjectsNeeds = needs({
  localObjects: pick(LOCAL_OBJECTS, 'get', 'watch'),
  workQueue: pick(POD_WORK_QUEUE, 'enqueue'),
});

/** The kind of object, and which ones a pod refers to. */
export interface LocalReferencedKind<K extends 'ConfigMap' | 'Secret'> {
  readonly kind: K;
  /** The word in error messages: `secret`, `configmap`. */
  readonly noun: string;
  /** Without duplicates, in the pod's namespace. */
  readonly namesOf: (pod: Pod) => ReadonlySet<string>;
}

interface Registration {
  readonly namespace: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Objects of one kind from the node's own store. A pod is synced as soon as an object that it refers to comes, changes or
 * goes: its volumes follow, and a container that waits for the object starts.
 */
export class LocalReferencedObjects<K extends 'ConfigMap' | 'Secret'>
  implements ReferencedObjectManager<LocalObjectOf<K>>, Lifecycle
{
  private readonly pods = new Map<string, Registration>();
  private unwatch: () => void = () => undefined;

  constructor(
    private readonly deps: Needs<typeof localReferencedObjectsNeeds>,
    private readonly kind: LocalReferencedKind<K>,
  ) {}

  async start(): Promise<void> {
    this.unwatch = this.deps.localObjects.watch((change) => this.wakePods(change));
  }

  async stop(): Promise<void> {
    this.unwatch();
  }

  async get(namespace: string, name: string): Promise<LocalObjectOf<K>> {
    const { kind, noun } = this.kind;
    const object = this.deps.localObjects.get(kind, namespace, name);
    if (object === undefined) throw new KubeletError(`${noun} "${name}" not found`, { code: 'not-found' });
    return object;
  }

  registerPod(pod: Pod): void {
    this.pods.set(podUid(pod), { namespace: pod.metadata.namespace ?? '', names: this.kind.namesOf(pod) });
  }

  unregisterPod(pod: Pod): void {
    this.pods.delete(podUid(pod));
  }

  private wakePods({ kind, object }: LocalObjectChange): void {
    if (kind !== this.kind.kind) return;
    const { namespace = '', name = '' } = object.metadata ?? {};
    for (const [uid, pod] of this.pods)
      if (pod.namespace === namespace && pod.names.has(name)) this.deps.workQueue.enqueue(uid, 0);
  }
}
