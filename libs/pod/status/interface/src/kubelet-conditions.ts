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

/** Conditions that the kubelet alone writes; every other one is taken over from the API object. */
export const isKubeletCondition = ({ type }: Pick<PodCondition, 'type'>): boolean => own.has(type);

/** Written by the kubelet and by others. */
export const isSharedCondition = ({ type }: Pick<PodCondition, 'type'>): boolean => type === 'DisruptionTarget';
