import { status, type ServiceError } from '@grpc/grpc-js';
import { KubeletError, type ErrorCode } from '@podwright/errors';

const codes: Readonly<Record<number, ErrorCode>> = {
  [status.CANCELLED]: 'cancelled',
  [status.UNKNOWN]: 'unknown',
  [status.INVALID_ARGUMENT]: 'invalid-argument',
  [status.DEADLINE_EXCEEDED]: 'deadline-exceeded',
  [status.NOT_FOUND]: 'not-found',
  [status.ALREADY_EXISTS]: 'already-exists',
  [status.PERMISSION_DENIED]: 'permission-denied',
  [status.RESOURCE_EXHAUSTED]: 'resource-exhausted',
  [status.FAILED_PRECONDITION]: 'failed-precondition',
  [status.ABORTED]: 'aborted',
  [status.OUT_OF_RANGE]: 'out-of-range',
  [status.UNIMPLEMENTED]: 'unimplemented',
  [status.INTERNAL]: 'internal',
  [status.UNAVAILABLE]: 'unavailable',
  [status.DATA_LOSS]: 'data-loss',
  [status.UNAUTHENTICATED]: 'unauthenticated',
};

/**
 * The gRPC status as KubeletError; the message is the status detail alone, as it ends up in container statuses. A runtime that knows
 * the deadline of an `overdue` call may cancel it before this side's timer ends it: that is the deadline all the same, as in the Go
 * client (google.golang.org/grpc internal/transport/http2_client.go handleRSTStream).
 */
export function fromServiceError(error: ServiceError, overdue: boolean): KubeletError {
  const code = codes[error.code] ?? 'unknown';
  // The library's own text for a local deadline names its internals; the Go client says this, and so do runtimes.
  const local = code === 'deadline-exceeded' && error.details.startsWith('Deadline exceeded after');
  const resetInTime = code === 'cancelled' && overdue;
  // No cause: the library's error says the same again with a stack that holds no line of the caller's.
  if (local || resetInTime) return new KubeletError('context deadline exceeded', { code: 'deadline-exceeded' });
  return new KubeletError(error.details, { code });
}

export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && typeof (thrown as Partial<ServiceError>).code === 'number' && 'details' in thrown;
}

/** What an aborted call rejects with: the signal's own KubeletError, else `cancelled` around the reason. */
export function fromAbort(signal: AbortSignal): KubeletError {
  const reason: unknown = signal.reason;
  const error = KubeletError.from(reason);
  return error === reason || error.code !== 'unknown'
    ? error
    : new KubeletError(error.message, { code: 'cancelled', cause: reason });
}
