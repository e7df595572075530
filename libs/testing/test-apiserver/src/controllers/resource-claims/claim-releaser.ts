import type { ApiObject, Stored } from '@podwright/api-machinery';
import { objectKey, type Pod, type ResourceClaim } from '@podwright/kube-types';
import { deleteObject } from '../../registry/delete-object.js';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';
import { deleteProtection } from './claim-allocator.js';
import { isOwnedBy, needsClaims } from './claims-of-pod.js';

const claimsKey = 'resourceclaims.resource.k8s.io';

/**
 * Takes claims back from pods that are gone or have ended: frees the devices of a claim that nobody uses, and deletes
 * the claims that were made for the pod. Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go, syncClaim.
 */
export function claimReleaser(context: ServerContext, registry: ObjectRegistry): Controller {
  const { store, table } = context;
  const claims = table.get('resourceclaims', 'resource.k8s.io');
  return ({ resource }) => {
    if (resource !== 'pods' && resource !== claimsKey) return;
    for (const claim of [...store.values(claimsKey)]) settle(claim as Stored<ResourceClaim>);
  };

  function settle(claim: Stored<ResourceClaim>): void {
    const { metadata, status = {} } = claim;
    const reservedFor = (status.reservedFor ?? []).filter(({ name, uid }) => {
      const pod = podOf(metadata.namespace, name);
      return pod?.metadata.uid === uid && needsClaims(pod);
    });
    if (reservedFor.length > 0 || status.allocation === undefined) {
      const changed = reservedFor.length !== (status.reservedFor ?? []).length;
      if (changed) registry.put(claims, { ...claim, status: { ...status, reservedFor } } as ApiObject);
      return;
    }
    // A claim that was just allocated is reserved in the same write, so this one has had its time.
    const { allocation: _freed, reservedFor: _nobody, ...rest } = status;
    const finalizers = (metadata.finalizers ?? []).filter((name) => name !== deleteProtection);
    const freed = registry.put(claims, { ...claim, metadata: { ...metadata, finalizers }, status: rest } as ApiObject);
    if (metadata.deletionTimestamp !== undefined && finalizers.length === 0) registry.remove(claims, freed);
    else if (hasEnded(claim)) deleteObject(context, registry, claims, freed, { dryRun: false });
  }

  /** Whether the claim was made for a pod that has ended; that of a pod that is gone is the garbage collector's. */
  function hasEnded(claim: Stored<ResourceClaim>): boolean {
    const owner = claim.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const pod = owner && podOf(claim.metadata.namespace, owner.name);
    return pod !== undefined && isOwnedBy(claim, pod) && !needsClaims(pod);
  }

  function podOf(namespace: string | undefined, name: string): Pod | undefined {
    const object = store.get('pods', objectKey(namespace, name));
    return object && asPod(object);
  }
}
