import type { SyncResult } from '@podwright/container-runtime-interface';
import { hasCode, messageOf } from '@podwright/errors';

/**
 * What keeps a pod from its sandbox, as reason and message of the condition PodReadyToStartContainers. Upstream leaves
 * both empty. Nothing in them changes from one attempt to the next: each change is a request to the API server.
 */
export interface SandboxObstacle {
  readonly reason: string;
  readonly message: string;
}

/** The step before the sandbox that has failed; undefined for steps whose failure shows elsewhere. */
export function obstacleOf(error: unknown): SandboxObstacle | undefined {
  const text = messageOf(error);
  if (hasCode(error, 'unavailable') && text.startsWith('network is not ready')) {
    const message = 'the network of the node is not ready: install or mend its network plugin (CNI)';
    return { reason: 'NetworkNotReady', message };
  }
  const unmounted = /unmounted volumes=\[([^\]]*)\]/.exec(text)?.[1];
  if (unmounted === undefined) return undefined;
  const message = `waiting for volumes [${unmounted}]: the events FailedMount and FailedAttachVolume say why`;
  return { reason: 'VolumesNotMounted', message };
}

const steps: readonly string[] = ['CreatePodSandbox', 'ConfigPodSandbox'];

/** The same from the results of a sync at the runtime; undefined when the sandbox is no obstacle. */
export function sandboxObstacleOf(results: readonly SyncResult[]): SandboxObstacle | undefined {
  const failed = results.find(({ action, error }) => steps.includes(action) && error !== undefined);
  if (failed?.error === undefined) return undefined;
  const { reason } = failed.error;
  const message = 'the sandbox of the pod cannot be created: the event FailedCreatePodSandBox says why';
  return { reason, message };
}
