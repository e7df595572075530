import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../objects.js';
import { isSidecar } from './restart-policy.js';

/**
 * The pod's ContainersReady condition, without times; `statuses` is undefined when no container status is known yet.
 * Source: kubernetes v1.36 pkg/kubelet/status/generate.go GenerateContainersReadyCondition.
 */
export function containersReadyCondition(
  pod: Pod,
  phase: string | undefined,
  statuses: readonly ContainerStatus[] | undefined,
): PodCondition {
  const type = 'ContainersReady';
  if (statuses === undefined) return { type, status: 'False', reason: 'UnknownContainerStatuses' };
  const wanted = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers];
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const unknown = wanted.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  const unready = wanted.filter(({ name }) => byName.get(name)?.ready === false).map(({ name }) => name);
  if (phase === 'Succeeded' && unknown.length === 0) return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  if (unknown.length === 0 && unready.length === 0) return { type, status: 'True' };
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${unknown.join(' ')}]`] : []),
    ...(unready.length > 0 ? [`containers with unready status: [${unready.join(' ')}]`] : []),
  ];
  return { type, status: 'False', reason: 'ContainersNotReady', message: parts.join(', ') };
}

/**
 * The pod's Ready condition, without times: ContainersReady and all readiness gates, which it reads in `conditions`.
 * Source: kubernetes v1.36 pkg/kubelet/status/generate.go GeneratePodReadyCondition.
 */
export function podReadyCondition(
  pod: Pod,
  containersReady: PodCondition,
  conditions: readonly PodCondition[],
): PodCondition {
  const type = 'Ready';
  if (containersReady.status !== 'True') return { ...containersReady, type };
  const problems = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = conditions.find((condition) => condition.type === conditionType);
    if (gate === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return gate.status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  return problems.length === 0
    ? { type, status: 'True' }
    : { type, status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

/** The status with its Ready and ContainersReady conditions computed again from the containers' `ready` fields. */
export function withReadiness(pod: Pod, status: PodStatus): PodStatus {
  const conditions = [...(status.conditions ?? [])];
  for (const made of readinessOf(pod, status)) {
    const index = conditions.findIndex(({ type }) => type === made.type);
    const old = conditions[index];
    const next = {
      ...made,
      ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
      ...(old?.status === made.status &&
        old.lastTransitionTime !== undefined && { lastTransitionTime: old.lastTransitionTime }),
    };
    if (index < 0) conditions.push(next);
    else conditions[index] = next;
  }
  return { ...status, conditions };
}

/**
 * Whether the pod's Ready condition in the API no longer agrees with its readiness gates, because another client
 * changed a gate. Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go NeedToReconcilePodReadiness.
 */
export function readinessIsStale(pod: Pod): boolean {
  if ((pod.spec.readinessGates ?? []).length === 0) return false;
  const shown = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const [ready] = readinessOf(pod, pod.status ?? {});
  return shown !== undefined && (shown.status !== ready.status || (shown.message ?? '') !== (ready.message ?? ''));
}

function readinessOf(pod: Pod, status: PodStatus): readonly [ready: PodCondition, containersReady: PodCondition] {
  const known = status.initContainerStatuses !== undefined || status.containerStatuses !== undefined;
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const containersReady = containersReadyCondition(pod, status.phase, known ? all : undefined);
  return [podReadyCondition(pod, containersReady, status.conditions ?? []), containersReady];
}
