import {
  hasPodLevelResources,
  isGuaranteedContainer,
  isSidecar,
  podQosClass,
  quantityToMilli,
  quantityValue,
  type Container,
  type Pod,
} from '@podwright/kube-types';

/** Feature gates that decide which rules of pod-level resources apply. */
export interface PodLevelGates {
  /** Gates PodLevelResources and PodLevelResourceManagers together. */
  readonly podLevelResourceManagers: boolean;
}

/**
 * Number of exclusive CPUs that a container gets; 0 when it uses the shared pool. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/policy_static.go.
 */
export function guaranteedCpus(pod: Pod, container: Container, gates: PodLevelGates): number {
  if (podQosClass(pod) !== 'Guaranteed') return 0;
  if (gates.podLevelResourceManagers && hasPodLevelResources(pod) && !isGuaranteedContainer(container)) return 0;
  return wholeCpus(container.resources?.requests?.['cpu']);
}

/** Exclusive CPUs of the pod as a whole: the most that its containers use at one time. */
export function podGuaranteedCpus(pod: Pod, gates: PodLevelGates): number {
  if (gates.podLevelResourceManagers && hasPodLevelResources(pod))
    return podQosClass(pod) === 'Guaranteed' ? wholeCpus(pod.spec.resources?.requests?.['cpu']) : 0;
  let sidecars = 0;
  let peak = 0;
  for (const container of pod.spec.initContainers ?? []) {
    const own = guaranteedCpus(pod, container, gates);
    if (isSidecar(container)) sidecars += own;
    else peak = Math.max(peak, sidecars + own);
  }
  const regular = pod.spec.containers.reduce((sum, container) => sum + guaranteedCpus(pod, container, gates), 0);
  return Math.max(peak, regular + sidecars);
}

/** Whether the CPU manager ignores the pod: it has pod-level resources and the gates are off. */
export function isLeftOut(pod: Pod, gates: PodLevelGates): boolean {
  return !gates.podLevelResourceManagers && hasPodLevelResources(pod);
}

function wholeCpus(quantity: string | undefined): number {
  const cpus = Number(quantityValue(quantity));
  return cpus * 1000 === quantityToMilli(quantity) ? cpus : 0;
}
