import { KubeletError } from '@podwright/errors';
import type { ErrorCode } from '@podwright/errors';

const grpcNames: Readonly<Record<ErrorCode, string>> = {
  cancelled: 'Canceled',
  unknown: 'Unknown',
  'invalid-argument': 'InvalidArgument',
  'deadline-exceeded': 'DeadlineExceeded',
  'not-found': 'NotFound',
  'already-exists': 'AlreadyExists',
  'permission-denied': 'PermissionDenied',
  'resource-exhausted': 'ResourceExhausted',
  'failed-precondition': 'FailedPrecondition',
  aborted: 'Aborted',
  'out-of-range': 'OutOfRange',
  unimplemented: 'Unimplemented',
  internal: 'Internal',
  unavailable: 'Unavailable',
  'data-loss': 'DataLoss',
  unauthenticated: 'Unauthenticated',
};

/** A runtime error as upstream prints it in events and messages. */
export function rpcErrorText(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return `rpc error: code = ${grpcNames[code]} desc = ${message}`;
}

/** As {@link rpcErrorText}, but upstream takes the prefix away from a pull error of unknown code. */
export function pullErrorText(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return code === 'unknown' ? message : rpcErrorText(error);
}

/**
 * Waiting reason and message of a failed pull: a runtime tells two special cases by the first word of its error.
 * Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go, evalCRIPullErr.
 */
export function classifyPullError(image: string, text: string): { readonly reason: string; readonly message: string } {
  for (const [reason, because] of specialErrors) {
    if (!text.startsWith(reason)) continue;
    return { reason, message: `image pull failed for ${image} because ${because}${text.slice(reason.length)}` };
  }
  return { reason: 'ErrImagePull', message: text };
}

const specialErrors = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;
