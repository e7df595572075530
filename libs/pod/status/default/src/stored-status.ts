import {
  isJsonObject,
  isSidecar,
  isStaticPod,
  isTerminalPhase,
  type ContainerStatus,
  type Pod,
  type PodCondition,
  type PodStatus,
} from '@podwright/kube-types';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { isKubeletCondition, isSharedCondition, unseenCompletion } from '@podwright/status-interface';

/** A status as kept over a restart of the kubelet. */
export interface StoredStatus {
  readonly status: PodStatus;
  readonly staticPod: boolean;
}

export const storedStatusPart: PodCheckpointPart<StoredStatus> = {
  name: 'status.pod-status',
  decode: (json) => {
    if (!isJsonObject(json) || !isJsonObject(json['status']) || typeof json['staticPod'] !== 'boolean')
      return undefined;
    const { status, staticPod } = json;
    return isPodStatus(status) ? { status, staticPod } : undefined;
  },
};

/**
 * What the next process should know. As upstream, it does not know how an init container of a static pod has succeeded
 * unless the runtime still has the record.
 */
export function storedStatus(pod: Pod, status: PodStatus): StoredStatus {
  const staticPod = isStaticPod(pod);
  const { initContainerStatuses } = status;
  if (!staticPod || initContainerStatuses === undefined) return { status, staticPod };
  const plain = new Set((pod.spec.initContainers ?? []).filter((one) => !isSidecar(one)).map(({ name }) => name));
  const known = initContainerStatuses.map((one) =>
    plain.has(one.name) && one.state?.terminated?.exitCode === 0 ? { ...one, state: unseenCompletion } : one,
  );
  return { status: { ...status, initContainerStatuses: known }, staticPod };
}

/**
 * The status to resume with after a restart; undefined: none. A rejected pod has no container statuses: its terminal
 * phase comes from the API server, and a static pod is admitted again, as upstream does. A static pod does not keep a
 * terminal phase: a node shutdown may have caused it; if the pod completed by itself, its containers show that.
 * Conditions of other writers come from the API object.
 */
export function restoredStatus({ status, staticPod }: StoredStatus): PodStatus | undefined {
  const lists = [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses];
  if (lists.every((list) => list === undefined || list.length === 0)) return undefined;
  const { conditions, phase, reason, message, ...rest } = status;
  const ended = isTerminalPhase(phase);
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
  isJsonObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';

const isContainerStatus = (value: unknown): value is ContainerStatus =>
  isJsonObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['ready'] === 'boolean' &&
  Number.isSafeInteger(value['restartCount']) &&
  [value['state'], value['lastState']].every((state) => state === undefined || isJsonObject(state));
