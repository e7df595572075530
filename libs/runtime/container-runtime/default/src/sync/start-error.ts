import { KubeletError, messageOf } from '@podwright/errors';

/** Error of a failed container start. Reason and message appear unchanged in the waiting state. */
export function startError(reason: string, cause: unknown, message: string = messageOf(cause)): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, reason, cause });
}

/** As upstream: the message stands in for a missing reason. */
export function reasonOf(error: unknown): string {
  return KubeletError.from(error).reason ?? messageOf(error);
}

/** The same error, and that the start is worth another try from this time on, in Unix milliseconds: sooner than usual. */
export function retriedAt(error: KubeletError, backOffUntilMs: number): KubeletError {
  return Object.assign(error, { backOffUntilMs });
}

/** What {@link retriedAt} said about an error, as a part of a sync's result. */
export function retryOf(error: unknown): { readonly backOffUntilMs?: number } {
  const { backOffUntilMs } = error as { backOffUntilMs?: number };
  return backOffUntilMs === undefined ? {} : { backOffUntilMs };
}
