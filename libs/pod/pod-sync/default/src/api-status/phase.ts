import {
  isSidecar,
  restartsAfterExit,
  isStaticPod,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
} from '@podwright/kube-types';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export interface PhaseInput {
  readonly pod: Pod;
  readonly status: Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses'>;
  /** The pod worker has terminated the pod: stopped containers do not restart. */
  readonly terminal: boolean;
  /** The newest sandbox is ready and has a record of a regular container. */
  readonly regularContainersStarted: boolean;
}

type ContainerWithStatus = readonly [Container, ContainerStatus | undefined];

/**
 * Computes the phase of a pod from its container statuses. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * getPhase.
 */
export function computePhase({ pod, status, terminal, regularContainersStarted }: PhaseInput): PodPhase {
  const pair = (
    containers: readonly Container[],
    statuses: readonly ContainerStatus[] = [],
  ): readonly ContainerWithStatus[] =>
    containers.map((container) => [container, statuses.find(({ name }) => name === container.name)]);
  const init = pair(pod.spec.initContainers ?? [], status.initContainerStatuses);
  const plainInit = init.filter(([container]) => !isSidecar(container));
  const sidecars = init.filter(([container]) => isSidecar(container));
  const regular = pair(pod.spec.containers, status.containerStatuses);

  const restartable = ([container, found]: ContainerWithStatus): boolean => {
    const end = found?.state?.terminated ?? found?.lastState?.terminated;
    if (end === undefined) return false;
    return end.reason === 'RestartingAllContainers' || restartsAfterExit(pod, container, end.exitCode);
  };

  if (plainInit.some((one) => failedEnd(one[1]) && !restartable(one))) return 'Failed';

  const sidecarPending = sidecars.some(([, found]) => isUnstartedSidecar(found)) && !regularContainersStarted;
  const counted = count(regular, sidecars, restartable);
  if (plainInit.some(([, found]) => isPendingInit(found)) || sidecarPending || counted.waiting > 0) return 'Pending';

  const { running, stopped, stoppedFinal, succeeded, unknown } = counted;
  if (running > 0 && unknown === 0) return 'Running';
  if (running === 0 && stopped > 0 && unknown === 0) {
    if (terminal && !isStaticPod(pod)) return stopped === succeeded ? 'Succeeded' : 'Failed';
    if (stopped !== stoppedFinal) return 'Running';
    return stopped === succeeded ? 'Succeeded' : 'Failed';
  }
  return 'Pending';
}

const hasNoState = (found: ContainerStatus): boolean =>
  found.state?.running === undefined && found.state?.terminated === undefined && found.state?.waiting === undefined;

const firstWaiting = (found: ContainerStatus): boolean =>
  found.state?.waiting !== undefined && found.lastState?.terminated === undefined;

function isPendingInit(found: ContainerStatus | undefined): boolean {
  return found === undefined || hasNoState(found) || found.state?.running !== undefined || firstWaiting(found);
}

function isUnstartedSidecar(found: ContainerStatus | undefined): boolean {
  if (found === undefined) return false; // counted as unknown
  return hasNoState(found) || (found.state?.running !== undefined && found.started !== true) || firstWaiting(found);
}

function failedEnd(found: ContainerStatus | undefined): boolean {
  const end =
    found?.state?.terminated ?? (found?.state?.waiting === undefined ? undefined : found.lastState?.terminated);
  return end !== undefined && end.exitCode !== 0;
}

interface Counts {
  running: number;
  waiting: number;
  stopped: number;
  stoppedFinal: number;
  succeeded: number;
  unknown: number;
}

function count(
  regular: readonly ContainerWithStatus[],
  sidecars: readonly ContainerWithStatus[],
  restartable: (one: ContainerWithStatus) => boolean,
): Counts {
  const counts: Counts = { running: 0, waiting: 0, stopped: 0, stoppedFinal: 0, succeeded: 0, unknown: 0 };
  for (const [, found] of sidecars) {
    if (found === undefined || hasNoState(found)) counts.unknown += 1;
    else if (found.state?.running !== undefined) counts.running += 1;
    else if (firstWaiting(found)) counts.waiting += 1;
  }
  for (const one of regular) {
    const [, found] = one;
    if (found === undefined || hasNoState(found)) counts.unknown += 1;
    else if (found.state?.running !== undefined) counts.running += 1;
    else if (firstWaiting(found)) counts.waiting += 1;
    else {
      counts.stopped += 1;
      if (!restartable(one)) counts.stoppedFinal += 1;
      if (found.state?.terminated?.exitCode === 0) counts.succeeded += 1;
    }
  }
  return counts;
}
