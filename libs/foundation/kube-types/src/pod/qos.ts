import type { Container, Pod, ResourceRequirements } from '../objects.js';
import type { Quantity } from '../quantity/quantity.js';
import { parseQuantity } from '../quantity/quantity.js';
import { addQuantities } from '../quantity/quantity-values.js';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const qosResources = ['cpu', 'memory'] as const;

/**
 * The pod's QoS class: `status.qosClass` when it is set, because the class never changes, else computed from the spec.
 */
export function podQosClass(pod: Pod): QosClass {
  const known = pod.status?.qosClass;
  return known === 'Guaranteed' || known === 'Burstable' || known === 'BestEffort' ? known : computeQosClass(pod);
}

/**
 * Computes the QoS class from the spec. Only positive CPU and memory amounts count; ephemeral containers do not.
 * Source: kubernetes v1.36 pkg/apis/core/v1/helper/qos/qos.go.
 */
export function computeQosClass(pod: Pod): QosClass {
  // Also with empty pod-level resources, the containers' own do not count.
  const parts: readonly (ResourceRequirements | undefined)[] = pod.spec.resources
    ? [pod.spec.resources]
    : [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map((container) => container.resources);
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const part of parts) {
    addPositive(requests, part?.requests);
    if (addPositive(limits, part?.limits) < qosResources.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const sumsEqual = [...requests].every(([name, request]) => limits.get(name)?.nano === request.nano);
  return allLimited && sumsEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/**
 * True when the container's requests and limits of CPU and memory are equal and not zero, whatever the QoS class of its
 * pod. Source: kubernetes v1.36 pkg/kubelet/cm/qos/helpers.go IsContainerEquivalentQOSGuaranteed.
 */
export function isGuaranteedContainer({ resources }: Container): boolean {
  return qosResources.every((name) => {
    const [request, limit] = [resources?.requests?.[name], resources?.limits?.[name]];
    if (request === undefined || limit === undefined) return false;
    const { nano } = parseQuantity(request);
    return nano !== 0n && nano === parseQuantity(limit).nano;
  });
}

/** Returns how many of the two resources were positive. */
function addPositive(sums: Map<string, Quantity>, list: Readonly<Record<string, string>> | undefined): number {
  let positive = 0;
  for (const name of qosResources) {
    const text = list?.[name];
    if (text === undefined) continue;
    const quantity = parseQuantity(text);
    if (quantity.nano <= 0n) continue;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? quantity : addQuantities(sum, quantity));
    positive += 1;
  }
  return positive;
}
