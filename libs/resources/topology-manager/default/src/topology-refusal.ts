import { KubeletError, messageOf } from '@podwright/errors';

/**
 * The rejection of a pod that fits no NUMA nodes. Source: kubernetes v1.36
 * pkg/kubelet/cm/topologymanager/topology_manager.go TopologyAffinityError.
 */
export function affinityRefusal(podLevel?: 'pod-scope' | 'container-level'): KubeletError {
  const what =
    podLevel === undefined
      ? 'Resources cannot be allocated with Topology locality'
      : `Pod Scope pod with pod-level resources failed admission ${podLevel === 'pod-scope' ? 'under pod-scope topology manager' : 'with a container-level topology manager'}`;
  return new KubeletError(what, { code: 'resource-exhausted', reason: 'TopologyAffinityError' });
}

/**
 * A provider's rejection with its own reason, otherwise `UnexpectedAdmissionError`. Source: kubernetes v1.36
 * pkg/kubelet/cm/admission/errors.go.
 */
export function allocationRefusal(error: unknown): KubeletError {
  const known = KubeletError.from(error);
  if (known.reason !== undefined) return known;
  return new KubeletError(`Allocate failed due to ${messageOf(error)}, which is unexpected`, {
    code: known.code,
    reason: 'UnexpectedAdmissionError',
    cause: error,
  });
}
