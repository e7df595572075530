import type { ServiceError } from '@grpc/grpc-js';
import { codeOfGrpcStatus, KubeletError } from '@podwright/errors';
import { inWordsOfGo } from './connection-failure.js';

/**
 * Turns a gRPC status into a KubeletError. Its message is the status detail alone, because container statuses show it.
 * `overdue` means that the deadline has passed: then `cancelled` becomes `deadline-exceeded`, because the server knows
 * the deadline too and may cancel first. The Go client does the same (google.golang.org/grpc
 * internal/transport/http2_client.go handleRSTStream).
 */
export function fromServiceError(error: Pick<ServiceError, 'code' | 'details'>, overdue: boolean): KubeletError {
  const code = codeOfGrpcStatus(error.code);
  // grpc-js's own texts for a deadline: of a client with its internals behind it, of a server (which keeps the same
  // deadline and may be first) without. The Go client and runtimes say `context deadline exceeded`.
  const local = code === 'deadline-exceeded' && /^Deadline exceeded($| after)/.test(error.details);
  const resetInTime = code === 'cancelled' && overdue;
  // No cause: grpc-js's error repeats the text, and its stack has no line of the caller.
  if (local || resetInTime) return new KubeletError('context deadline exceeded', { code: 'deadline-exceeded' });
  return new KubeletError(inWordsOfGo(error.details), { code });
}

/** True for an error of grpc-js and for a {@link StatusError}. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && typeof (thrown as Partial<ServiceError>).code === 'number' && 'details' in thrown;
}
