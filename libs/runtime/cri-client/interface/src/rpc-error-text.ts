import type { ErrorCode } from '@podwright/errors';
import { KubeletError } from '@podwright/errors';

/**
 * A failed call in the words of Go's gRPC client, which users know from events:
 * `rpc error: code = Unknown desc = ...`. Waiting states of containers show the bare message instead.
 */
export function rpcErrorText(error: unknown): string {
  const { code, message } = KubeletError.from(error);
  return `rpc error: code = ${goCode(code)} desc = ${message}`;
}

function goCode(code: ErrorCode): string {
  if (code === 'cancelled') return 'Canceled';
  return code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
