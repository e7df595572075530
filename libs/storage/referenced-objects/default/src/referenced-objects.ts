import { CLOCK, LOGGER, needs, optional, pick } from '@podwright/assembly-interface';
import type { Lifecycle, Needs } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import type { KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { objectKey, podUid, type Pod } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { OFFLINE_OBJECTS } from '@podwright/offline-objects-interface';
import type { ReferencedObjectManager } from '@podwright/referenced-objects-interface';
import { CachedObjects } from './cached-objects.js';
import { DirectObjects } from './direct-objects.js';
import type { ObjectStore } from './object-store.js';
import { objectTtlMs } from './object-ttl.js';
import type { ReferencedObjectsConfig } from './referenced-objects-config.js';
import { savedObjects, type SavedObjects } from './saved-objects.js';
import { WatchedObjects } from './watched-objects.js';

/** An idle watch lives for this many pod syncs, each of which reads the contents of volumes. Upstream's value. */
const idlePeriods = 5;
const minIdleMs = 60_000;

/** The kind of object, and which ones a pod refers to. */
export interface ReferencedKind<T extends KubeObject> {
  readonly resource: ResourceType<T>;
  /** The word in error messages: `secret`, `configmap`. */
  readonly noun: string;
  /** Without duplicates, in the pod's namespace. */
  readonly namesOf: (pod: Pod) => ReadonlySet<string>;
}

export const referencedObjectsNeeds = needs({
  client: pick(KUBE_CLIENT, 'get', 'inform'),
  nodeSource: pick(NODE_SOURCE, 'getNode'),
  clock: CLOCK,
  logger: LOGGER,
  /** With it, pods get saved secrets and config maps while the API server cannot be reached. */
  offline: optional(OFFLINE_OBJECTS),
});
export type ReferencedObjectsNeeds = Needs<typeof referencedObjectsNeeds>;

interface Registration {
  readonly namespace: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Objects of one kind that pods of this node refer to, with the configured strategy. A pod counts once per object,
 * however often it is registered; registering an updated pod adds its new references and drops old ones.
 * Source: kubernetes v1.36 pkg/kubelet/util/manager.
 */
export class ReferencedObjects<T extends KubeObject & { readonly immutable?: boolean }>
  implements ReferencedObjectManager<T>, Lifecycle
{
  private readonly pods = new Map<string, Registration>();
  private readonly store: ObjectStore<T>;
  private readonly saved: SavedObjects<T> | undefined;

  constructor(
    deps: ReferencedObjectsNeeds,
    private readonly kind: ReferencedKind<T>,
    config: ReferencedObjectsConfig,
  ) {
    const store = storeFor(deps, kind, config);
    this.saved = deps.offline && savedObjects(store, deps.offline, kind.resource.kind);
    this.store = this.saved ?? store;
  }

  async start(): Promise<void> {
    this.store.start();
  }

  /** Resolves when all watches have ended. */
  async stop(): Promise<void> {
    this.pods.clear();
    await this.store.stop();
  }

  /**
   * Rejects with `not-found` when the object does not exist, otherwise with the API server's error or upstream's text.
   */
  get(namespace: string, name: string): Promise<T> {
    return this.store.get(namespace, name);
  }

  registerPod(pod: Pod): void {
    const namespace = pod.metadata.namespace ?? '';
    const names = this.kind.namesOf(pod);
    const before = this.pods.get(podUid(pod));
    this.pods.set(podUid(pod), { namespace, names });
    for (const name of names) if (before?.names.has(name) !== true) this.store.addReference(namespace, name);
    this.release(before, names);
  }

  unregisterPod(pod: Pod): void {
    this.release(this.pods.get(podUid(pod)));
    this.pods.delete(podUid(pod));
  }

  /** Removes saved objects that neither these pods nor registered ones refer to. Cheap when there are none. */
  forgetUnneeded(pods: readonly Pod[]): void {
    let needed: ReadonlySet<string> | undefined;
    this.saved?.forgetAllBut((namespace, name) => (needed ??= this.neededBy(pods)).has(objectKey(namespace, name)));
  }

  private neededBy(pods: readonly Pod[]): ReadonlySet<string> {
    const ofPods = pods.map((pod) => ({ namespace: pod.metadata.namespace ?? '', names: this.kind.namesOf(pod) }));
    const all = [...this.pods.values(), ...ofPods];
    return new Set(all.flatMap(({ namespace, names }) => [...names].map((name) => objectKey(namespace, name))));
  }

  private release(registration: Registration | undefined, except?: ReadonlySet<string>): void {
    if (registration === undefined) return;
    const { namespace, names } = registration;
    for (const name of names) if (except?.has(name) !== true) this.store.deleteReference(namespace, name);
  }
}

function storeFor<T extends KubeObject & { readonly immutable?: boolean }>(
  { client, nodeSource, clock, logger }: ReferencedObjectsNeeds,
  { resource, noun }: ReferencedKind<T>,
  { strategy, syncFrequencyMs }: ReferencedObjectsConfig,
): ObjectStore<T> {
  if (strategy === 'Get') return new DirectObjects(client, resource);
  if (strategy === 'Cache') {
    return new CachedObjects({ client, clock, ttlMs: () => objectTtlMs(nodeSource) }, resource);
  }
  const maxIdleMs = Math.max(minIdleMs, idlePeriods * syncFrequencyMs);
  return new WatchedObjects({ client, clock, logger: logger.with({ logger: noun }) }, { resource, noun, maxIdleMs });
}
