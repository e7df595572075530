import { status, type ServiceError } from '@grpc/grpc-js';
import { errorCodes, KubeletError, type ErrorCode } from '@podwright/errors';
import { abortReason } from '@podwright/time';

const goName = (code: ErrorCode): string =>
  code === 'cancelled' ? 'Canceled' : code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

// `NOT_FOUND` of the library is `not-found` here.
const codes = new Map<number, ErrorCode>(
  Object.entries(status).flatMap(([name, value]) => {
    const code = errorCodes.find((known) => known === name.toLowerCase().replaceAll('_', '-'));
    return typeof value === 'number' && code !== undefined ? [[value, code] as const] : [];
  }),
);

/** As KubeletError with the code of the status and its details as the message. */
export function fromServiceError(error: Pick<ServiceError, 'code' | 'details'>): KubeletError {
  const code = codes.get(error.code) ?? 'unknown';
  // The library's own text for a deadline of ours names its internals; Go's client says this.
  const ours = code === 'deadline-exceeded' && error.details.startsWith('Deadline exceeded after');
  return new KubeletError(ours ? 'context deadline exceeded' : error.details, { code });
}

/** The signal's own KubeletError, else `cancelled`. */
export function fromAbort(signal: AbortSignal): KubeletError {
  const reason = abortReason(signal);
  const error = KubeletError.from(reason);
  return error.code === 'unknown' ? new KubeletError(error.message, { code: 'cancelled', cause: reason }) : error;
}

/** A failed call as Go's gRPC client tells it: `rpc error: code = Unknown desc = no such device`. */
export function goRpcError(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return `rpc error: code = ${goName(code)} desc = ${message}`;
}
