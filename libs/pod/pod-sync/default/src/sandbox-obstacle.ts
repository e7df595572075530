import type { SyncResult } from '@podwright/container-runtime-interface';
import { usedVolumes, type Pod, type PodStatus } from '@podwright/kube-types';
import type { MountedVolume } from '@podwright/volume-interface';

/**
 * What keeps a pod from its sandbox, as reason and message of the condition PodReadyToStartContainers. Upstream leaves
 * both empty. Nothing in them changes from one attempt to the next: each change is a request to the API server.
 */
export interface SandboxObstacle {
  readonly reason: string;
  readonly message: string;
}

export const networkObstacle: SandboxObstacle = {
  reason: 'NetworkNotReady',
  message: 'the network of the node is not ready: install or mend its network plugin (CNI)',
};

export function volumesObstacle(pod: Pod, mounted: readonly MountedVolume[]): SandboxObstacle {
  const awaited = usedVolumes(pod)
    .map(({ volume }) => volume.name)
    .filter((name) => !mounted.some((each) => each.name === name));
  const message = `waiting for volumes [${awaited.join(' ')}]: the events FailedMount and FailedAttachVolume say why`;
  return { reason: 'VolumesNotMounted', message };
}

const steps: readonly string[] = ['CreatePodSandbox', 'ConfigPodSandbox'];

/** The obstacle from the results of a sync at the runtime; undefined when the sandbox is none. */
export function sandboxObstacleOf(results: readonly SyncResult[]): SandboxObstacle | undefined {
  const failed = results.find(({ action, error }) => steps.includes(action) && error !== undefined);
  if (failed?.error === undefined) return undefined;
  const { reason } = failed.error;
  const message = 'the sandbox of the pod cannot be created: the event FailedCreatePodSandBox says why';
  return { reason, message };
}

/** The status with the obstacle in its condition, unless the sandbox stands. */
export const withObstacle = (status: PodStatus, obstacle: SandboxObstacle): PodStatus => ({
  ...status,
  conditions: (status.conditions ?? []).map((condition) =>
    condition.type === 'PodReadyToStartContainers' && condition.status === 'False'
      ? { ...condition, ...obstacle }
      : condition,
  ),
});
