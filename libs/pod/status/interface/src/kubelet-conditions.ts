import type { PodCondition } from '@podwright/kube-types';

// Source: kubernetes v1.36 pkg/kubelet/types/pod_status.go.
const own: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodResizeInProgress',
  'PodResizePending',
  'PodReadyToStartContainers',
  'AllContainersRestarting',
]);

/** True for conditions that only the kubelet writes; it copies all others from the API object. */
export const isKubeletCondition = ({ type }: Pick<PodCondition, 'type'>): boolean => own.has(type);

/** True for conditions that the kubelet and others write. */
export const isSharedCondition = ({ type }: Pick<PodCondition, 'type'>): boolean => type === 'DisruptionTarget';
