import { KubeletError } from '@podwright/errors';
import type { ContainerStatus, PodStatus } from '@podwright/kube-types';

/** The run of a container whose log the client requests. */
export interface ContainerInstance {
  /** The ID in the pod's status, such as `containerd://0123`. */
  readonly containerId: string;
  /** The ID without the runtime's prefix, as in the CRI. */
  readonly criId: string;
  /** Possible numbers of the run's log file, the likeliest first: the status does not always decide it. */
  readonly logNumbers: readonly number[];
}

/**
 * Finds the run whose log can be read. Throws `failed-precondition` or `not-found` with upstream's messages.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go validateContainerLogStatus.
 */
export function containerInstance(
  podName: string,
  status: PodStatus,
  container: string,
  previous: boolean,
): ContainerInstance {
  const found = statusOf(status, container);
  const subject = `container ${JSON.stringify(container)} in pod ${JSON.stringify(podName)}`;
  if (found === undefined) throw notReady(`${subject} is not available`);
  const { running, terminated, waiting } = found.state ?? {};
  const last = found.lastState?.terminated;
  const current = found.restartCount;
  // A waiting container has no file yet, so the newest is that of the previous run, unless the status counts it
  // already.
  const beforeThis = running !== undefined || hasId(terminated) ? [current - 1] : [current, current - 1];

  if (previous) {
    if (!hasId(last)) {
      throw new KubeletError(`previous terminated ${subject} not found`, { code: 'not-found' });
    }
    return instance(last.containerID, beforeThis);
  }
  if (running !== undefined) return instance(found.containerID ?? '', [current]);
  if (hasId(terminated)) return instance(terminated.containerID, [current]);
  if (hasId(last)) return instance(last.containerID, beforeThis);
  if (terminated !== undefined || last !== undefined) throw notReady(`${subject} is terminated`);
  if (waiting === undefined) throw notReady(`${subject} is waiting to start - no logs yet`);
  throw notReady(`${subject} is waiting to start: ${troubleOf(waiting.reason ?? '')}`);
}

type WithId = { readonly containerID: string };

function hasId(state: { readonly containerID?: string } | undefined): state is WithId {
  return state !== undefined && (state.containerID ?? '') !== '';
}

function statusOf(status: PodStatus, container: string): ContainerStatus | undefined {
  const lists = [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses];
  for (const list of lists) {
    const found = list?.find(({ name }) => name === container);
    if (found !== undefined) return found;
  }
  return undefined;
}

function troubleOf(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason;
}

function instance(containerId: string, numbers: readonly number[]): ContainerInstance {
  const criId = containerId.replace(/^[^:]*:\/\//, '');
  return { containerId, criId, logNumbers: numbers.filter((number) => number >= 0) };
}

function notReady(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
