import { KubeletError, messageOf } from '@podwright/errors';

/** Error of a failed container start. Reason and message appear unchanged in the waiting state. */
export function startError(reason: string, cause: unknown, message: string = messageOf(cause)): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, reason, cause });
}

/** As upstream: the message stands in for a missing reason. */
export function reasonOf(error: unknown): string {
  return KubeletError.from(error).reason ?? messageOf(error);
}
