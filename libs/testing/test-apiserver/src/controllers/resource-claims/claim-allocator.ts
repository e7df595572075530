import type { ApiObject, Stored } from '@podwright/api-machinery';
import { objectKey, type Pod, type ResourceClaim, type ResourceSlice } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';
import { claimNamesOf, needsClaims } from './claims-of-pod.js';
import { chooseDevices, keyOf, type Allocation } from './device-choice.js';

const claimsKey = 'resourceclaims.resource.k8s.io';
const slicesKey = 'resourceslices.resource.k8s.io';
const classesKey = 'deviceclasses.resource.k8s.io';
/** Upstream's scheduler adds it to what it allocates. */
export const deleteProtection = 'resource.kubernetes.io/delete-protection';
const causes = new Set(['pods', claimsKey, slicesKey, classesKey]);

/**
 * Allocates devices of a bound pod's node to its claims, and reserves them for the pod. Upstream's scheduler allocates
 * before it binds: pkg/scheduler/framework/plugins/dynamicresources of kubernetes v1.36.
 */
export function claimAllocator({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const claims = table.get('resourceclaims', 'resource.k8s.io');
  return ({ resource }) => {
    if (!causes.has(resource)) return;
    for (const pod of [...store.values('pods')].map(asPod)) {
      if (!pod.spec.nodeName || !needsClaims(pod) || pod.metadata.deletionTimestamp !== undefined) continue;
      for (const name of claimNamesOf(pod)) {
        const claim = store.get(claimsKey, objectKey(pod.metadata.namespace, name));
        if (claim !== undefined) settle(claim as Stored<ResourceClaim>, pod);
      }
    }
  };

  function settle(claim: Stored<ResourceClaim>, { metadata, spec }: Pod): void {
    const { status = {}, metadata: meta } = claim;
    if (meta.deletionTimestamp !== undefined) return;
    const allocation = status.allocation ?? allocate(claim, spec.nodeName ?? '');
    const reservedFor = status.reservedFor ?? [];
    const reserved = reservedFor.some(({ uid }) => uid === metadata.uid);
    if (allocation === undefined || (reserved && allocation === status.allocation)) return;
    const pod = { resource: 'pods', name: metadata.name ?? '', uid: metadata.uid ?? '' };
    const finalizers = [...new Set([...(meta.finalizers ?? []), deleteProtection])];
    registry.put(claims, {
      ...claim,
      metadata: { ...meta, finalizers },
      status: { ...status, allocation, reservedFor: reserved ? reservedFor : [...reservedFor, pod] },
    } as unknown as ApiObject);
  }

  function allocate({ spec }: ResourceClaim, node: string): Allocation | undefined {
    const slices = ([...store.values(slicesKey)] as unknown as ResourceSlice[]).filter(
      (slice) => slice.spec.nodeName === node,
    );
    const all = [...store.values(claimsKey)] as ResourceClaim[];
    const taken = all.flatMap(({ status }) => (status?.allocation?.devices?.results ?? []).map(keyOf));
    const requests = spec.devices?.requests ?? [];
    const results = chooseDevices(requests, slices, (name) => store.get(classesKey, name), new Set(taken));
    if (results === undefined) return undefined;
    const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
    return { devices: { results }, nodeSelector: { nodeSelectorTerms: [term] } };
  }
}
