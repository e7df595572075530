import type { Lifecycle } from '@podwright/assembly-interface';
import type { KubeClient, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { NodeSource } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { CachedObjects } from './cached-objects.js';
import { DirectObjects } from './direct-objects.js';
import type { ObjectStore } from './object-store.js';
import { objectTtlMs } from './object-ttl.js';
import type { ReferencedObjectsConfig } from './referenced-objects-config.js';
import { WatchedObjects } from './watched-objects.js';

/** Idle watches live so many periods of pod syncs: what volumes hold is read at each of them. Upstream's value. */
const idlePeriods = 5;
const minIdleMs = 60_000;

/** Which objects of which pods. */
export interface ReferencedKind<T extends KubeObject> {
  readonly resource: ResourceType<T>;
  /** Word for the messages: `secret`, `configmap`. */
  readonly noun: string;
  /** Without duplicates, in the pod's namespace. */
  readonly namesOf: (pod: Pod) => ReadonlySet<string>;
}

export interface ReferencedObjectsDeps {
  readonly client: Pick<KubeClient, 'get' | 'inform'>;
  readonly nodeSource: Pick<NodeSource, 'getNode'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Registration {
  readonly namespace: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Objects of one kind that pods of this node refer to, by the strategy of the configuration. A pod counts once per object,
 * however often it is registered; what an update of it names anew is taken up, what it names no more is let go.
 * Source: kubernetes v1.36 pkg/kubelet/util/manager.
 */
export class ReferencedObjects<T extends KubeObject & { readonly immutable?: boolean }> implements Lifecycle {
  private readonly pods = new Map<string, Registration>();
  private readonly store: ObjectStore<T>;

  constructor(
    deps: ReferencedObjectsDeps,
    private readonly kind: ReferencedKind<T>,
    config: ReferencedObjectsConfig,
  ) {
    this.store = storeFor(deps, kind, config);
  }

  async start(): Promise<void> {
    this.store.start();
  }

  /** Resolves when no watch is left. */
  async stop(): Promise<void> {
    this.pods.clear();
    await this.store.stop();
  }

  /** Rejects with `not-found` when there is no such object, else with the API server's error or upstream's text. */
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

  private release(registration: Registration | undefined, except?: ReadonlySet<string>): void {
    if (registration === undefined) return;
    const { namespace, names } = registration;
    for (const name of names) if (except?.has(name) !== true) this.store.deleteReference(namespace, name);
  }
}

function storeFor<T extends KubeObject & { readonly immutable?: boolean }>(
  { client, nodeSource, clock, logger }: ReferencedObjectsDeps,
  { resource, noun }: ReferencedKind<T>,
  { strategy, syncFrequencyMs }: ReferencedObjectsConfig,
): ObjectStore<T> {
  if (strategy === 'Get') return new DirectObjects(client, resource);
  if (strategy === 'Cache') {
    return new CachedObjects({ client, clock, ttlMs: () => objectTtlMs(nodeSource) }, resource);
  }
  const maxIdleMs = Math.max(minIdleMs, idlePeriods * syncFrequencyMs);
  return new WatchedObjects({ client, clock, logger }, { resource, noun, maxIdleMs });
}
