import { type ApiObject, qualified } from '@podwright/api-machinery';
import { isTerminalPhase, objectKey, type Pod } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import { deleteObject } from '../registry/delete-object.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import { asPod, nodesOfPod } from '../strategies/pod-strategy.js';
import { withCondition } from '../subresources/pod-conditions.js';
import type { Controller } from './controller.js';

type OwnerReference = NonNullable<ApiObject['metadata']['ownerReferences']>[number];

const ownersOf = ({ metadata }: ApiObject): readonly string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid);

// A node that is created again in this time keeps its pods. Source: kubernetes v1.36
// pkg/controller/podgc/gc_controller.go.
const orphanedPodWaitMs = 40_000;

/**
 * Deletes objects that have lost all their owners, and finishes foreground and orphaning deletions. Unlike kubernetes
 * v1.36 pkg/controller/garbagecollector, it only checks the objects that an event names.
 */
export function garbageCollector(context: ServerContext, registry: ObjectRegistry): Controller {
  const { store, table } = context;
  const stored = table.all.filter(({ virtual }) => !virtual);
  const byOwner = store.index(ownersOf);
  return ({ type, resource, object }) => {
    if (type === 'DELETED') {
      for (const [kind, dependent] of dependentsOf(object)) collect(kind, dependent);
      return;
    }
    const kind = stored.find((candidate) => qualified(candidate) === resource);
    if (kind === undefined) return;
    if (type === 'ADDED' && (object.metadata.ownerReferences ?? []).length > 0) collect(kind, object);
    if (object.metadata.deletionTimestamp !== undefined) finishDeletion(kind, object);
  };

  function dependentsOf({ metadata }: ApiObject): readonly (readonly [ApiResource, ApiObject])[] {
    const dependents = byOwner.find(metadata.uid ?? '');
    return stored.flatMap((kind) => {
      const own = dependents.filter(({ resource }) => resource === qualified(kind));
      return own.map(({ object }) => [kind, object] as const);
    });
  }

  function collect(kind: ApiResource, given: ApiObject): void {
    const current = registry.find(kind, given.metadata.namespace ?? '', given.metadata.name ?? '');
    if (current?.metadata.uid !== given.metadata.uid || current === undefined) return;
    const owners = current.metadata.ownerReferences ?? [];
    const alive = owners.filter((owner) => exists(owner, current.metadata.namespace));
    if (alive.length === 0) deleteObject(context, registry, kind, current, { dryRun: false });
    else if (alive.length < owners.length) {
      registry.put(kind, { ...current, metadata: { ...current.metadata, ownerReferences: alive } });
    }
  }

  function exists({ apiVersion, kind, name, uid }: OwnerReference, namespace: string | undefined): boolean {
    const resource = stored.find((candidate) => candidate.kind === kind && groupVersion(candidate) === apiVersion);
    // The server cannot check an owner of a kind that it does not know.
    if (resource === undefined) return true;
    const key = objectKey(resource.namespaced ? namespace : '', name);
    return store.get(qualified(resource), key)?.metadata.uid === uid;
  }

  function finishDeletion(kind: ApiResource, object: ApiObject): void {
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes('foregroundDeletion')) {
      const blocking = dependentsOf(object).filter(
        ([dependentKind, dependent]) =>
          !deleteObject(context, registry, dependentKind, dependent, { dryRun: false }).gone,
      );
      if (blocking.length === 0) dropFinalizer(kind, object, 'foregroundDeletion');
    } else if (finalizers.includes('orphan')) {
      for (const [dependentKind, dependent] of dependentsOf(object)) {
        const others = dependent.metadata.ownerReferences?.filter(({ uid }) => uid !== object.metadata.uid) ?? [];
        registry.put(dependentKind, { ...dependent, metadata: { ...dependent.metadata, ownerReferences: others } });
      }
      dropFinalizer(kind, object, 'orphan');
    }
  }

  function dropFinalizer(kind: ApiResource, object: ApiObject, finalizer: string): void {
    const current = registry.find(kind, object.metadata.namespace ?? '', object.metadata.name ?? '');
    if (current?.metadata.finalizers?.includes(finalizer) !== true) return;
    const finalizers = current.metadata.finalizers.filter((name) => name !== finalizer);
    const next = registry.put(kind, { ...current, metadata: { ...current.metadata, finalizers } });
    if (finalizers.length === 0 && (next.metadata.deletionGracePeriodSeconds ?? 0) === 0) registry.remove(kind, next);
  }
}

/**
 * Deletes the pods of a node 40 s after its deletion. Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go.
 */
export function orphanedPods(context: ServerContext, registry: ObjectRegistry): Controller {
  const { store, table, clock } = context;
  const pods = table.get('pods');
  const podsByNode = store.index(nodesOfPod, 'pods');
  return ({ type, resource, object }) => {
    const node = object.metadata.name ?? '';
    if (type !== 'DELETED' || resource !== 'nodes') return;
    clock.setTimer(orphanedPodWaitMs, () => {
      if (store.get('nodes', node) !== undefined) return;
      for (const { object: item } of podsByNode.find(node)) {
        const status: Pod['status'] = withCondition(
          asPod(item).status,
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'DeletionByPodGC',
            message: 'PodGC: node no longer exists',
          },
          formatRfc3339(clock.now()),
        );
        const phase = isTerminalPhase(status?.phase) ? status.phase : 'Failed';
        const stored = registry.put(pods, { ...item, status: { ...status, phase } });
        deleteObject(context, registry, pods, stored, { gracePeriodSeconds: 0, dryRun: false });
      }
    });
  };
}
