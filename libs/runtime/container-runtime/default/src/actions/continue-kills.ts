import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { ContainerProgress } from '../kill/container-checkpoints.js';
import type { ContainerKill, PodActions } from './pod-actions.js';
import { restartPolicyOf } from './restart-decision.js';

/**
 * Adds the kills that an earlier kubelet process began and did not finish. Their causes may no longer be visible: the
 * liveness result is lost, or some sidecars of a finished pod have exited and look as if they must start again. A kill
 * of the whole pod replaces all other actions. Upstream keeps no record of kills.
 */
export function continueKills(
  pod: Pod,
  status: RuntimePodStatus,
  actions: PodActions,
  progressOf: (containerId: string) => ContainerProgress,
): PodActions {
  const begun = containersOf(pod).flatMap(({ container, index, init }) => {
    const record = newestRecord(status, container.name);
    if (record?.state !== 'running') return [];
    const { kill, postStart } = progressOf(record.id);
    // A kill after a failed postStart hook belongs to the start, which resumes it.
    return kill === undefined || postStart !== undefined
      ? []
      : [{ container, index, init, kill, containerId: record.id }];
  });
  if (begun.length === 0 || actions.killPod) return actions;
  if (begun.some(({ kill }) => kill.wholePod)) return killingPod(actions);
  const known = new Set([
    ...actions.containersToKill.map(({ containerId }) => containerId),
    ...actions.containersToReset.map(({ record }) => record.id),
  ]);
  const missing = begun.filter(({ containerId }) => !known.has(containerId));
  const kills = missing.map(({ container, containerId, kill: { message, reason } }): ContainerKill => {
    return { container, containerId, message, reason };
  });
  const starts = missing.filter(({ container }) => restartPolicyOf(pod, container) !== 'Never');
  const merged = (indexes: readonly number[], init: boolean): readonly number[] =>
    [...new Set([...indexes, ...starts.filter((one) => one.init === init).map(({ index }) => index)])].sort(
      (left, right) => left - right,
    );
  return {
    ...actions,
    containersToKill: [...actions.containersToKill, ...kills],
    initContainersToStart: merged(actions.initContainersToStart, true),
    containersToStart: merged(actions.containersToStart, false),
  };
}

function killingPod(actions: PodActions): PodActions {
  return {
    ...actions,
    killPod: true,
    initContainersToStart: [],
    containersToStart: [],
    ephemeralContainersToStart: [],
    containersToKill: [],
    containersToReset: [],
    resize: undefined,
  };
}

function containersOf(pod: Pod): readonly { container: Container; index: number; init: boolean }[] {
  return [
    ...(pod.spec.initContainers ?? []).map((container, index) => ({ container, index, init: true })),
    ...pod.spec.containers.map((container, index) => ({ container, index, init: false })),
  ];
}
