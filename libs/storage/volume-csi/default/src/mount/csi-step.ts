import { KubeletError, messageOf } from '@podwright/errors';
import { transientFailure } from '@podwright/volume-interface';

/** Runs one step; its failure gets upstream's words before its own, and keeps its code and its mark. */
export async function csiStep<T>(what: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new KubeletError(`${what}: ${messageOf(error)}`, { code: KubeletError.from(error).code, cause: error });
  }
}

/**
 * Runs a step before anything changes: its failure is transient, whatever it was, so the volume counts as before.
 * Upstream calls some of these failures final, and then forgets a volume that an earlier call may have mounted.
 */
export async function transientStep<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw transientFailure(error);
  }
}
