import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import {
  matchingRestartRule,
  type Container,
  type Pod,
  type PodCondition,
  type PodStatus,
  type RestartableContainer,
} from '@podwright/kube-types';

const type = 'AllContainersRestarting';
const containersOf = ({ spec }: Pod): readonly Container[] => [...spec.containers, ...(spec.initContainers ?? [])];

/** Whether a restart of all containers is in progress, started by this runtime status or an earlier one. */
export function isRestartingAll(pod: Pod, runtime: RuntimePodStatus, old: PodStatus): boolean {
  return hasRule(pod) && (wasRestarting(old) || isTriggered(pod, runtime));
}

/**
 * The condition of pods with a RestartAllContainers rule; undefined for others. Stays True until all records of their
 * containers are gone. Source: kubernetes v1.36 pkg/kubelet/status/generate.go
 * GenerateAllContainersRestartingCondition.
 */
export function allContainersRestarting(
  pod: Pod,
  runtime: RuntimePodStatus,
  status: PodStatus,
  old: PodStatus,
): PodCondition | undefined {
  if (!hasRule(pod)) return undefined;
  if (status.phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (status.phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const names = new Set(containersOf(pod).map(({ name }) => name));
  const left = runtime.containers.some(({ name }) => names.has(name));
  if (!left || !isRestartingAll(pod, runtime, old)) return { type, status: 'False' };
  const message = 'container exited with restart policy rule';
  return { type, status: 'True', reason: 'RestartAllContainersStarted', message };
}

const wasRestarting = ({ conditions = [] }: PodStatus): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True');

function hasRule(pod: Pod): boolean {
  return (containersOf(pod) as readonly RestartableContainer[]).some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );
}

function isTriggered(pod: Pod, runtime: RuntimePodStatus): boolean {
  return containersOf(pod).some((container) => {
    const record = newestRecord(runtime, container.name);
    if (record?.state !== 'exited') return false;
    return matchingRestartRule(container, record.exitCode)?.action === 'RestartAllContainers';
  });
}
