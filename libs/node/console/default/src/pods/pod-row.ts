import type { PodRow } from '@podwright/console-interface';
import type { PodExplanation } from '@podwright/explain-interface';
import {
  isSidecar,
  isStaticPod,
  podLimits,
  podQosClass,
  podRequests,
  podSource,
  podUid,
  quantityToBytes,
  quantityToMilli,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type ResourceAmounts,
  timeMs,
} from '@podwright/kube-types';

/** A pod in a list, from what the kubelet knows of it and what the explainer says. */
export function podRow(pod: Pod, status: PodStatus | undefined, explanation: PodExplanation): PodRow {
  const { namespace = '', name = '', labels = {}, deletionTimestamp } = pod.metadata;
  const lasting = lastingStatuses(pod, status);
  const startedAtMs = timeMs(status?.startTime);
  const deletedAtMs = timeMs(deletionTimestamp);
  const { situation, headline, ready } = explanation;
  return {
    ...{ uid: podUid(pod), namespace, name, ready, situation, headline, labels },
    source: podSource(pod) ?? (isStaticPod(pod) ? 'file' : 'api'),
    phase: status?.phase ?? pod.status?.phase ?? 'Pending',
    qosClass: podQosClass(pod),
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(deletedAtMs !== undefined && { deletedAtMs }),
    restarts: allStatuses(status).reduce((sum, { restartCount }) => sum + restartCount, 0),
    containers: lasting.names.size,
    readyContainers: lasting.statuses.filter((each) => each.ready).length,
    ...amounts(podRequests(pod), 'Request'),
    ...amounts(podLimits(pod), 'Limit'),
    ...(status?.podIP !== undefined && status.podIP !== '' && { podIp: status.podIP }),
  };
}

/** CPU and memory of a list of amounts, under the names of a row. */
export function amounts(
  { cpu, memory }: ResourceAmounts,
  what: 'Request' | 'Limit',
): Pick<PodRow, 'cpuRequestMillis' | 'cpuLimitMillis' | 'memoryRequestBytes' | 'memoryLimitBytes'> {
  const [cpuName, memoryName] = [`cpu${what}Millis`, `memory${what}Bytes`] as const;
  return {
    ...(cpu !== undefined && { [cpuName]: quantityToMilli(cpu) }),
    ...(memory !== undefined && { [memoryName]: quantityToBytes(memory) }),
  };
}

/** All containers of a status: init containers first, as in the spec. */
export function allStatuses(status: PodStatus | undefined): readonly ContainerStatus[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}

function lastingStatuses(
  { spec }: Pod,
  status: PodStatus | undefined,
): { readonly names: ReadonlySet<string>; readonly statuses: readonly ContainerStatus[] } {
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const names = new Set([...sidecars, ...spec.containers].map(({ name }) => name));
  return { names, statuses: allStatuses(status).filter(({ name }) => names.has(name)) };
}
