import type { PodCondition } from '@podwright/kube-types';

/** Conditions that the kubelet alone writes. Source: kubernetes v1.36 pkg/kubelet/types/pod_status.go. */
export const kubeletConditions: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodResizeInProgress',
  'PodResizePending',
  'PodReadyToStartContainers',
  'AllContainersRestarting',
]);

/** Written by the kubelet and by others. */
export const sharedConditions: ReadonlySet<string> = new Set(['DisruptionTarget']);

export const isKubeletCondition = ({ type }: PodCondition): boolean => kubeletConditions.has(type) || sharedConditions.has(type);
