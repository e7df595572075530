import { KubeletError, messageOf } from '@podwright/errors';

/** Why a container was not started. `reason` and message become its waiting state, letter by letter. */
export function startError(reason: string, cause: unknown, message: string = messageOf(cause)): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, reason, cause });
}

/** Upstream gives an error that has no reason of its own as reason and message alike. */
export function reasonOf(error: unknown): string {
  return KubeletError.from(error).reason ?? messageOf(error);
}
