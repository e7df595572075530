import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { ClaimAssignment } from '@podwright/pod-resources-interface';

/**
 * Dynamic resource allocation on the node: has drivers prepare the ResourceClaims of a pod before its sandbox exists,
 * and unprepare them after its last container has stopped. It remembers on disk which pods use which claims, so that a
 * process that is killed at any step neither forgets a prepared claim nor loses its devices. A pod here has its claims
 * in `spec.resourceClaims`, the names of claims of templates in `status.resourceClaimStatuses`, and a claim for extended
 * resources in `status.extendedResourceClaimStatus`. Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go.
 */
export interface DraManager extends Lifecycle {
  /**
   * Call it before each creation of the pod's sandbox. Resolves when drivers have prepared all claims; does nothing for
   * claims that are prepared already. Rejects with upstream's text; call it again then. Before it has checked all claims
   * it calls no driver and remembers nothing, so a pod that it refuses has nothing to unprepare. Calls for pods that
   * share a claim wait for each other.
   */
  prepare(pod: Pod, signal?: AbortSignal): Promise<void>;
  /**
   * Call it after all containers of the pod have stopped, until it resolves. Drivers unprepare the claims that no other
   * pod uses. Does nothing for a pod that uses none.
   */
  unprepare(pod: Pod, signal?: AbortSignal): Promise<void>;
  /**
   * Unprepares the claims of all pods but those whose UIDs `kept` has: of pods that were deleted by force, or while no
   * kubelet ran. Never rejects; logs what fails, and the next call tries it again.
   */
  unprepareOthers(kept: Pick<ReadonlySet<string>, 'has'>, signal?: AbortSignal): Promise<void>;
  /** Whether a claim may still have to be unprepared for the pod. Until then its API object must not disappear. */
  holdsClaims(podUid: string): boolean;
  /**
   * Names of the devices of the container in the Container Device Interface, for the runtime; empty without claims.
   * Throws when a claim is not prepared; the container then waits with CreateContainerConfigError and that message.
   */
  cdiDevicesOf(pod: Pod, container: Container): readonly string[];
  /** The container's devices by claim, for monitoring agents; leaves out claims that are not prepared. */
  claimsOf(pod: Pod, container: Container): readonly ClaimAssignment[];
}

/** Require it as optional: without a provider pods cannot use claims. */
export const DRA_MANAGER = createToken<DraManager>('kubelet.dra-manager/v1');
