import {
  newestRecord,
  type ResizePlan,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { isSidecar, type Container, type Pod, type PodStatus } from '@podwright/kube-types';
import type { ProbeResults } from '@podwright/probe-interface';
import { computeInitContainerActions } from './init-container-actions.js';
import type { PodActions } from './pod-actions.js';
import { computeRegularContainerActions } from './regular-container-actions.js';
import { computeContainersToReset, isRestartAllPending } from './restart-all-containers.js';
import { restartPolicyOf } from './restart-decision.js';
import { sandboxChanged } from './sandbox-changed.js';

/**
 * Decides what one sync does. Pure: the same input gives the same actions. The plan must be a new one of `PodResizer`.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions.
 */
export function computePodActions(
  pod: Pod,
  status: RuntimePodStatus,
  apiStatus: PodStatus,
  probes: Pick<ProbeResults, 'get'>,
  plan: ResizePlan,
): PodActions {
  const sandbox = sandboxChanged(pod, status);
  const base: PodActions = {
    killPod: sandbox.create,
    createSandbox: sandbox.create,
    sandboxId: sandbox.sandboxId,
    attempt: sandbox.attempt,
    initContainersToStart: [],
    containersToStart: [],
    ephemeralContainersToStart: [],
    containersToKill: [],
    containersToReset: [],
    resize: undefined,
  };
  if (isRestartAllPending(apiStatus)) {
    return sandbox.create ? base : { ...base, containersToReset: computeContainersToReset(pod, status) };
  }
  if (sandbox.create) return actionsWithNewSandbox(pod, status, apiStatus, base);
  return actionsInSandbox(pod, status, probes, base, plan);
}

function actionsWithNewSandbox(pod: Pod, status: RuntimePodStatus, apiStatus: PodStatus, base: PodActions): PodActions {
  const { initContainers = [], containers } = pod.spec;
  const neverAgain = pod.spec.restartPolicy === 'Never' && base.attempt !== 0 && status.containers.length > 0;
  const containersToStart = containers.flatMap((container, index) => {
    const record = newestRecord(status, container.name);
    if (neverAgain) return hasStarted(container, record, apiStatus) ? [] : [index];
    const succeeded = record?.state === 'exited' && record.exitCode === 0;
    return succeeded && restartPolicyOf(pod, container) === 'OnFailure' ? [] : [index];
  });
  const failed = initContainers.some((init) => !isSidecar(init) && hasFailed(newestRecord(status, init.name)));
  if (neverAgain && failed) return { ...base, createSandbox: false };
  if (containersToStart.length === 0) return { ...base, createSandbox: false };
  return initContainers.length > 0 ? { ...base, initContainersToStart: [0] } : { ...base, containersToStart };
}

/**
 * Whether the container has had its only attempt under restartPolicy Never. When the sandbox ended before that, upstream
 * leaves the pod pending for ever.
 */
function hasStarted({ name }: Container, record: RuntimeContainerStatus | undefined, apiStatus: PodStatus): boolean {
  const known = apiStatus.containerStatuses?.find((each) => each.name === name);
  const ran = known?.state?.running ?? known?.state?.terminated ?? known?.lastState?.terminated;
  return ran !== undefined || (record !== undefined && record.state !== 'created');
}

/** An init container whose end nobody knows has had its only attempt under restartPolicy Never, too. */
function hasFailed(record: RuntimeContainerStatus | undefined): boolean {
  if (record === undefined || record.state === 'created') return false;
  return record.state !== 'exited' || record.exitCode !== 0;
}

function actionsInSandbox(
  pod: Pod,
  status: RuntimePodStatus,
  probes: Pick<ProbeResults, 'get'>,
  base: PodActions,
  plan: ResizePlan,
): PodActions {
  // One that was created and not started belongs to a kubelet that was killed. Upstream leaves it for ever.
  const ephemeralContainersToStart = (pod.spec.ephemeralContainers ?? []).flatMap(({ name }, index) =>
    (newestRecord(status, name)?.state ?? 'created') === 'created' ? [index] : [],
  );
  const init = computeInitContainerActions(pod, status, probes, plan);
  const actions: PodActions = {
    ...base,
    killPod: init.killPod,
    ephemeralContainersToStart,
    initContainersToStart: init.toStart,
    containersToKill: init.toKill,
  };
  if (init.killPod) return actions;
  if (!init.initialized) return { ...actions, resize: plan.result() };
  const regular = computeRegularContainerActions(pod, status, probes, plan);
  // Sidecars alone must not keep a finished pod alive.
  const finished = regular.kept === 0 && regular.toStart.length === 0;
  plan.comparePodLevel();
  return {
    ...actions,
    killPod: finished,
    initContainersToStart: finished ? [] : init.toStart,
    containersToStart: regular.toStart,
    containersToKill: [...init.toKill, ...regular.toKill],
    resize: finished ? undefined : plan.result(),
  };
}
