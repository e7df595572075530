import { hasCode, KubeletError } from '@podwright/errors';
import { volumeAttachmentLimitExceeded } from '@podwright/volume-interface';

const list = (names: readonly string[]): string => `[${[...names].sort().join(' ')}]`;

/** Go's words for the two causes of an aborted wait. */
export function causeOfAbort(reason: unknown): string {
  return hasCode(reason, 'deadline-exceeded') ? 'context deadline exceeded' : 'context canceled';
}

/** Names in the pod's spec. */
export interface UnreadyVolumes {
  readonly unmounted: readonly string[];
  readonly unattached: readonly string[];
  readonly failedToProcess: readonly string[];
}

/**
 * Why the volumes of a pod are not ready. Source of the text: kubernetes v1.36
 * pkg/kubelet/volumemanager/volume_manager.go.
 */
export function mountWaitError(
  { unmounted, unattached, failedToProcess }: UnreadyVolumes,
  cause: string,
  reason?: unknown,
): KubeletError {
  const code =
    reason === undefined
      ? 'failed-precondition'
      : hasCode(reason, 'deadline-exceeded')
        ? 'deadline-exceeded'
        : 'cancelled';
  return new KubeletError(
    `unmounted volumes=${list(unmounted)}, unattached volumes=${list(unattached)}, failed to process volumes=${list(failedToProcess)}: ${cause}`,
    { code, cause: reason },
  );
}

/** The pod cannot run on this node: `told` says what it waits for. */
export function attachLimitError(told: KubeletError): KubeletError {
  const message = `Node has reached its volume attachment limit, rejecting pod. ${told.message}`;
  return new KubeletError(message, { code: 'resource-exhausted', reason: volumeAttachmentLimitExceeded });
}

export function unmountWaitError(uniqueNames: readonly string[], reason: unknown): KubeletError {
  const code = hasCode(reason, 'deadline-exceeded') ? 'deadline-exceeded' : 'cancelled';
  return new KubeletError(`mounted volumes=${list(uniqueNames)}: ${causeOfAbort(reason)}`, { code, cause: reason });
}
