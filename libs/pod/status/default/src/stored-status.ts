import { isStaticPod, type ContainerStatus, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';
import type { PodMemoryPart } from '@podwright/pod-memory-interface';
import { isKubeletCondition, isSharedCondition } from '@podwright/status-interface';

/** A status as it is kept over a restart of the kubelet. */
export interface StoredStatus {
  readonly status: PodStatus;
  readonly staticPod: boolean;
}

export const storedStatusPart: PodMemoryPart<StoredStatus> = {
  name: 'status.pod-status',
  decode: (json) => {
    if (!isObject(json) || !isObject(json['status']) || typeof json['staticPod'] !== 'boolean') return undefined;
    const { status, staticPod } = json;
    return isPodStatus(status) ? { status, staticPod } : undefined;
  },
};

export function storedStatus(pod: Pod, status: PodStatus): StoredStatus {
  return { status, staticPod: isStaticPod(pod) };
}

/**
 * The status to go on with after a restart; undefined: none. A pod that was refused has no container statuses: where an
 * API server knows it, its terminal phase comes from there, and a static pod is admitted anew as upstream does it. A
 * static pod does not keep a terminal phase either: it may have been ended by a shutdown of the node, and whether it has
 * ended by itself follows from its containers. Conditions of others are as the API object says, not as they were.
 */
export function restoredStatus({ status, staticPod }: StoredStatus): PodStatus | undefined {
  const lists = [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses];
  if (lists.every((list) => list === undefined || list.length === 0)) return undefined;
  const { conditions, phase, reason, message, ...rest } = status;
  const ended = phase === 'Succeeded' || phase === 'Failed';
  return {
    ...rest,
    ...(!(staticPod && ended) && {
      ...(phase !== undefined && { phase }),
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    }),
    ...(conditions && {
      conditions: conditions.filter((condition) => isKubeletCondition(condition) || isSharedCondition(condition)),
    }),
  };
}

function isPodStatus(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & PodStatus {
  const { phase, startTime, conditions, containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = value;
  return (
    [phase, startTime].every((text) => text === undefined || typeof text === 'string') &&
    isListOf(conditions, isCondition) &&
    [containerStatuses, initContainerStatuses, ephemeralContainerStatuses].every((list) =>
      isListOf(list, isContainerStatus),
    )
  );
}

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isItem));

const isCondition = (value: unknown): value is PodCondition =>
  isObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';

const isContainerStatus = (value: unknown): value is ContainerStatus =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['ready'] === 'boolean' &&
  Number.isSafeInteger(value['restartCount']) &&
  [value['state'], value['lastState']].every((state) => state === undefined || isObject(state));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
