import type { PodCondition } from '@podwright/kube-types';

// Source: kubernetes v1.36 pkg/kubelet/types/pod_status.go.
const own: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodResizeInProgress',
  'PodResizePending',
]);

/** Conditions that are the kubelet's only while it writes them; with the gate off they stay as the API shows them. */
export interface ConditionGates {
  /** Gate PodReadyToStartContainersCondition. */
  readonly readyToStartCondition: boolean;
  /** Gate RestartAllContainersOnContainerExits. */
  readonly restartAllContainers: boolean;
}

const bothOn: ConditionGates = { readyToStartCondition: true, restartAllContainers: true };

/**
 * True for conditions that only the kubelet writes; it copies all others from the API object. `gates`: default, all
 * are on.
 */
export function isKubeletCondition({ type }: Pick<PodCondition, 'type'>, gates: ConditionGates = bothOn): boolean {
  if (type === 'PodReadyToStartContainers') return gates.readyToStartCondition;
  if (type === 'AllContainersRestarting') return gates.restartAllContainers;
  return own.has(type);
}

/** True for conditions that the kubelet and others write. */
export const isSharedCondition = ({ type }: Pick<PodCondition, 'type'>): boolean => type === 'DisruptionTarget';
