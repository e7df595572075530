import { errorCodes, KubeletError, type ErrorCode } from './kubelet-error.js';

/**
 * The error code of a gRPC status number; `unknown` for 0, which is no failure, and for a number that does not exist.
 */
export function codeOfGrpcStatus(status: number): ErrorCode {
  return errorCodes[status - 1] ?? 'unknown';
}

/** Go's spelling of the code: `DeadlineExceeded`. */
export function grpcCodeName(code: ErrorCode): string {
  if (code === 'cancelled') return 'Canceled';
  return code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * An error in the words of Go's gRPC client, as events show it: `rpc error: code = Unknown desc = ...`. The waiting
 * state of a container shows the plain message instead.
 */
export function rpcErrorText(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return `rpc error: code = ${grpcCodeName(code)} desc = ${message}`;
}

/** For `catch`: rethrows what was thrown in the words of Go's gRPC client, see {@link rpcErrorText}, and with its code. */
export function rethrowAsRpc(cause: unknown): never {
  throw new KubeletError(rpcErrorText(cause), { code: KubeletError.from(cause).code, cause });
}
