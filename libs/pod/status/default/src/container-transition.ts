import {
  type matchingRestartRule,
  restartsAfterExit,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
} from '@podwright/kube-types';

/**
 * Why the manager must reject `next`: it shows a terminated container as alive against its restart policy, which
 * results from lost records. Undefined for a legal transition. Source: kubernetes v1.36
 * pkg/kubelet/status/status_manager.go checkContainerStateTransition.
 */
export function illegalTransition(pod: Pod, previous: PodStatus, next: PodStatus): string | undefined {
  if ((pod.spec.restartPolicy ?? 'Always') === 'Always' || restartsAll(pod)) return undefined;
  return (
    revived(pod, pod.spec.containers, previous.containerStatuses, next.containerStatuses) ??
    revived(pod, pod.spec.initContainers, previous.initContainerStatuses, next.initContainerStatuses)
  );
}

function revived(
  pod: Pod,
  containers: readonly Container[] = [],
  before: readonly ContainerStatus[] = [],
  after: readonly ContainerStatus[] = [],
): string | undefined {
  for (const container of containers) {
    const ended = before.find(({ name }) => name === container.name)?.state?.terminated;
    const now = after.find(({ name }) => name === container.name);
    if (ended === undefined || now === undefined || now.state?.terminated !== undefined) continue;
    if (restartsAfterExit(pod, container, ended.exitCode)) continue;
    return `terminated container ${container.name} attempted illegal transition to non-terminated state`;
  }
  return undefined;
}

function restartsAll(pod: Pod): boolean {
  const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  return all.some((container) => {
    const rules = (container as Parameters<typeof matchingRestartRule>[0]).restartPolicyRules ?? [];
    return rules.some(({ action }) => action === 'RestartAllContainers');
  });
}
