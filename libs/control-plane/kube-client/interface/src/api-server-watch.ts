import { createToken } from '@podwright/assembly-interface';

/**
 * What others may know of the calls to the API server. Who retries failed calls hears when the server can be reached
 * again, and need not wait for the end of a pause. Who has calls that can wait sees when the urgent ones have stopped. An
 * implementation of `KubeClient` provides it where it can; callers must work without it.
 */
export interface ApiServerWatch {
  /**
   * Calls `listener` with the first answer, whatever its status, after calls that found no server. All listeners hear
   * of it at the same moment, so each sends one call to begin with, not all that it has. Returns unsubscribe.
   */
  onServerBack(listener: () => void): () => void;
  /**
   * When the last call of the budgets `default` and `status` was sent, in milliseconds of the monotonic clock; undefined
   * before the first one. Pods wait for these calls. Calls that nobody waits for can come after them.
   */
  readonly lastUrgentCallMs: number | undefined;
}

export const API_SERVER_WATCH = createToken<ApiServerWatch>('kubelet.api-server-watch/v1');
