import type { Container, Pod } from '@podwright/kube-types';
import {
  hasPodLevelResources,
  isNodeCriticalPod,
  isSidecar,
  podQosClass,
  podRequests,
  quantityValue,
} from '@podwright/kube-types';

const guaranteed = -997n;
const bestEffort = 1000n;

/**
 * The OOM score adjustment: which container the kernel kills first when the node runs out of memory. The smaller the
 * memory request, the sooner. Source: kubernetes v1.36 pkg/kubelet/qos/policy.go GetContainerOOMScoreAdjust.
 */
export function oomScoreAdj(pod: Pod, container: Container, nodeMemoryBytes: bigint): bigint {
  if (isNodeCriticalPod(pod)) return guaranteed;
  const qos = podQosClass(pod);
  if (qos === 'Guaranteed') return guaranteed;
  if (qos === 'BestEffort') return bestEffort;
  const share = unassignedShare(pod);
  const scoreOf = (request: bigint): bigint => bestEffort - (bestEffort * (request + share)) / nodeMemoryBytes;
  let score = scoreOf(memoryRequest(container));
  if (isSidecarOf(pod, container)) {
    // A sidecar must not be killed before the containers that it serves.
    const smallest = pod.spec.containers
      .map(memoryRequest)
      .reduce((least, request) => (request < least ? request : least));
    const regular = scoreOf(smallest);
    if (regular < score) score = regular;
  }
  // Clamped between Guaranteed and BestEffort.
  if (score < bestEffort + guaranteed) return bestEffort + guaranteed;
  return score === bestEffort ? score - 1n : score;
}

/** The pod-level request minus the containers' requests, divided equally among the containers. */
function unassignedShare(pod: Pod): bigint {
  if (!hasPodLevelResources(pod)) return 0n;
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const assigned = containers.map(memoryRequest).reduce((sum, request) => sum + request, 0n);
  const rest = quantityValue(podRequests(pod, { excludeOverhead: true })['memory']) - assigned;
  return rest > 0n ? rest / BigInt(containers.length) : 0n;
}

function memoryRequest(container: Container): bigint {
  return quantityValue(container.resources?.requests?.['memory']);
}

function isSidecarOf(pod: Pod, container: Container): boolean {
  return isSidecar(container) && (pod.spec.initContainers ?? []).some(({ name }) => name === container.name);
}
