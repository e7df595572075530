import { KubeletError, messageOf } from '@podwright/errors';

const uncertain = 'UncertainProgress';
const transient = 'TransientOperationFailure';

/**
 * What is known after a failed operation. `final`: nothing was mounted. `uncertain`: it may still be in progress, so
 * the volume counts as in use until it is unmounted. `transient`: the operation has not begun, and nothing changes.
 * Source: kubernetes v1.36 pkg/volume/util/types/types.go.
 */
export type VolumeFailure = 'final' | 'uncertain' | 'transient';

export function uncertainProgress(error: unknown, message = messageOf(error)): KubeletError {
  const { code } = KubeletError.from(error);
  return new KubeletError(message, { code, reason: uncertain, cause: error });
}

export function transientFailure(error: unknown, message = messageOf(error)): KubeletError {
  const { code } = KubeletError.from(error);
  return new KubeletError(message, { code, reason: transient, cause: error });
}

/** `final` unless the error, or an error in its cause chain, is marked otherwise. */
export function volumeFailure(error: unknown): VolumeFailure {
  for (let current = error; current !== undefined && current !== null;) {
    const { reason, cause } = current as { readonly reason?: unknown; readonly cause?: unknown };
    if (reason === uncertain) return 'uncertain';
    if (reason === transient) return 'transient';
    current = typeof current === 'object' ? cause : undefined;
  }
  return 'final';
}
