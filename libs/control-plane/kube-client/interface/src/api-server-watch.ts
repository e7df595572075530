import { createToken } from '@podwright/assembly-interface';

/**
 * Reports when the API server can be reached again, for those who retry failed calls: they need not wait for the end of
 * a pause; and how busy the kubelet is with calls that pods wait for. An implementation of `KubeClient` provides it where it can; callers must work without it.
 */
export interface ApiServerWatch {
  /**
   * Calls `listener` with the first answer, whatever its status, after calls that found no server. All listeners hear
   * of it at the same moment, so each sends one call to begin with, not all that it has. Returns unsubscribe.
   */
  onServerBack(listener: () => void): () => void;
  /**
   * When the last call of the budgets `default` and `status` was sent, in milliseconds of the monotonic clock; undefined
   * before the first one. Pods wait for these calls, so whoever has calls that nobody waits for sends them later.
   */
  readonly lastUrgentCallMs: number | undefined;
}

export const API_SERVER_WATCH = createToken<ApiServerWatch>('kubelet.api-server-watch/v1');
