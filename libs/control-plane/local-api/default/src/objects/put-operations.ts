import { conflict, invalid, modifiedMeanwhile, notFound } from '@podwright/api-machinery';
import { deepEqual, type ConfigMap, type ObjectMeta, type Pod, type Secret } from '@podwright/kube-types';
import type { LocalObject, LocalOperation } from '@podwright/local-objects-interface';
import { validateDataUpdate } from '@podwright/pod-manifest';
import type { StoredResource } from '../resources.js';

/**
 * Compares the stored object with the one that a client has seen: its UID and version, if it sends them. Source:
 * kubernetes v1.36 apiserver/pkg/registry/generic/registry/store.go Update.
 * @throws ApiError 404, 409.
 */
export function checkExpectation(
  { resource, name }: { readonly resource: StoredResource; readonly name: string },
  { uid, resourceVersion }: ObjectMeta = {},
  stored: ObjectMeta | undefined,
): void {
  if (resourceVersion && stored === undefined) throw notFound(resource, name);
  if (uid && uid !== stored?.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored?.uid ?? ''}`;
    throw conflict(resource, name, why);
  }
  if (resourceVersion && resourceVersion !== stored?.resourceVersion) throw conflict(resource, name, modifiedMeanwhile);
}

/**
 * The operations that put an admitted object in the place of the stored one. A pod whose spec has changed is a new pod:
 * the old one ends first, then the new one starts, as with static pods. So is one that is put while the old one is being
 * deleted.
 * @throws ApiError 422 for a change of something immutable.
 */
export function putOperations(
  { stored: kind }: StoredResource,
  object: LocalObject,
  stored: LocalObject | undefined,
): readonly LocalOperation[] {
  if (kind !== 'Pod') {
    const faults = stored === undefined ? [] : validateDataUpdate(object as ConfigMap | Secret, stored as Secret);
    if (faults.length > 0) throw invalid('', kind, object.metadata?.name ?? '', faults);
    return [{ kind, put: object } as LocalOperation];
  }
  const [pod, old] = [object as Pod, stored as Pod | undefined];
  if (old === undefined) return [{ kind, put: pod }];
  // The stored spec, so that another spelling of a quantity is no change.
  if (old.metadata.deletionTimestamp === undefined && deepEqual(pod.spec, old.spec))
    return [{ kind, put: { ...pod, spec: old.spec } }];
  const { namespace = '', name = '' } = old.metadata;
  return [
    { kind, remove: { namespace, name } },
    { kind, put: pod },
  ];
}
