import { hasCode, KubeletError } from '@podwright/errors';

const list = (names: readonly string[]): string => `[${[...names].sort().join(' ')}]`;

/** Go's words for the two ways in which a wait ends early. */
export function causeOfAbort(reason: unknown): string {
  return hasCode(reason, 'deadline-exceeded') ? 'context deadline exceeded' : 'context canceled';
}

/** Why a pod cannot start. Source of the text: kubernetes v1.36 pkg/kubelet/volumemanager/volume_manager.go. */
export function mountWaitError(
  unmounted: readonly string[],
  failedToProcess: readonly string[],
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
    `unmounted volumes=${list(unmounted)}, unattached volumes=[], failed to process volumes=${list(failedToProcess)}: ${cause}`,
    { code, cause: reason },
  );
}

export function unmountWaitError(uniqueNames: readonly string[], reason: unknown): KubeletError {
  const code = hasCode(reason, 'deadline-exceeded') ? 'deadline-exceeded' : 'cancelled';
  return new KubeletError(`mounted volumes=${list(uniqueNames)}: ${causeOfAbort(reason)}`, { code, cause: reason });
}
